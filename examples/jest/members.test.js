const { startMockServer } = require('countersign')

let mock
beforeAll(async () => {
  mock = await startMockServer({ port: 0 })
})
beforeEach(() => mock.reset())
afterAll(() => mock.close())

function invite(email) {
  const form = new FormData()
  const member = { email, first_name: 'Ada', last_name: 'Lovelace', role: 'Member', organization_id: '1' }
  for (const [name, value] of Object.entries(member)) form.set(`data[0][${name}]`, value)
  return fetch(`${mock.url}/api/v2/organization/members/add?user_type=ENTERPRISE_API`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.token}` },
    body: form,
  })
}

test('a member cannot be invited again', async () => {
  expect((await invite('ada@example.test')).status).toBe(200)
  await mock.invitations.accept('ada@example.test')
  expect((await invite('ada@example.test')).status).toBe(409)
})

test('a failed save is reported to the user', async () => {
  await mock.scenarios.activate('addOrganizationMember:500')
  const response = await invite('ada@example.test')
  expect(response.status).toBe(500)
  expect(await mock.outbox.messages()).toEqual([])
})
