import { expect, test } from '@playwright/test'

test('an invited person accepts', async ({ page, request }, { workerIndex }) => {
  const world = `http://127.0.0.1:4010/~worker-${workerIndex}`
  await request.post(`${world}/__admin/reset`)
  const member = {
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Lovelace',
    role: 'Member',
    organization_id: '1',
  }
  await request.post(`${world}/api/v2/organization/members/add?user_type=ENTERPRISE_API`, {
    headers: { authorization: 'Bearer token-admin' },
    multipart: Object.fromEntries(Object.entries(member).map(([name, value]) => [`data[0][${name}]`, value])),
  })
  const outbox = await request.get(`${world}/__admin/outbox?to=ada@example.test&wait=2000`)
  const { messages } = await outbox.json()
  await page.goto(messages[0].links.accept)
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('status')).toHaveText(/you are a member now/)
})
