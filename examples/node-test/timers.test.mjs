import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startMockServer } from 'countersign'

let mock
before(async () => {
  mock = await startMockServer({ port: 0 })
})
after(() => mock.close())

test('the server and its handle work with fake timers', async ({ mock: fake }) => {
  fake.timers.enable()
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
  assert.equal(status, 200)
  assert.ok(await sandbox.outbox.waitFor({ to: member.email }))
  await assert.rejects(sandbox.outbox.waitFor({ to: 'none@example.test', timeout: 20 }), /No mail/)
  await sandbox.reset()
  assert.deepEqual(await sandbox.requests(), [])
})
