const { startMockServer } = require('countersign')

let mock
beforeAll(async () => {
  mock = await startMockServer({ port: 0 })
})
afterAll(() => mock.close())
afterEach(() => jest.useRealTimers())

test('the server and its handle work with fake timers', async () => {
  jest.useFakeTimers()
  const sandbox = await mock.sandbox('timers')
  await sandbox.scenarios.define('slow', { rules: [{ on: '*', answer: { delay: 20 } }], active: true })
  const form = new FormData()
  const member = { email: 'ada@example.test', first_name: 'Ada', last_name: 'Lovelace', role: 'Member' }
  for (const [name, value] of Object.entries({ ...member, organization_id: '1' })) form.set(`data[0][${name}]`, value)
  const { status } = await sandbox.fetch('/api/v2/organization/members/add?user_type=ENTERPRISE_API', {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.token}` },
    body: form,
  })
  expect(status).toBe(200)
  expect(await sandbox.outbox.waitFor({ to: member.email })).toBeDefined()
  await expect(sandbox.outbox.waitFor({ to: 'none@example.test', timeout: 20 })).rejects.toThrow('No mail')
  await sandbox.reset()
  expect(await sandbox.requests()).toEqual([])
})
