import { expect, test } from 'countersign/playwright'

async function invite(page, { url, token }, email) {
  await page.goto(`/?${new URLSearchParams({ api: url, token })}`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Invite' }).click()
}

test('a person who accepts becomes a member', async ({ page, countersign }) => {
  await invite(page, countersign, 'ada@example.test')
  await expect(page.getByRole('status')).toHaveText('Invited.')
  const mail = await countersign.outbox.waitFor({ to: 'ada@example.test' })
  await page.goto(mail.links.accept)
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('status')).toHaveText(/You are now a member/)
  await invite(page, countersign, 'ada@example.test')
  await expect(page.getByRole('status')).toHaveText('Is a member already.')
})

test('a failed save is shown to the user', async ({ page, countersign }) => {
  await countersign.scenarios.activate('addOrganizationMember:500')
  await invite(page, countersign, 'ada@example.test')
  await expect(page.getByRole('status')).toHaveText(/Could not be saved/)
  expect(await countersign.outbox.messages()).toEqual([])
})
