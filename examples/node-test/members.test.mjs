import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startMockServer } from 'countersign'

let mock
before(async () => {
  mock = await startMockServer({ port: 0 })
})
after(() => mock.close())

/** Stands in for your app's code. */
function invite(baseUrl, token, email) {
  const form = new FormData()
  const member = { email, first_name: 'Ada', last_name: 'Lovelace', role: 'Member', organization_id: '1' }
  for (const [name, value] of Object.entries(member)) form.set(`data[0][${name}]`, value)
  return fetch(`${baseUrl}/api/v2/organization/members/add?user_type=ENTERPRISE_API`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
}

test('a person who accepts becomes a member', async () => {
  const sandbox = await mock.sandbox('accepts')
  assert.equal((await invite(sandbox.url, mock.token, 'ada@example.test')).status, 200)
  const mail = await sandbox.outbox.waitFor({ to: 'ada@example.test' })
  assert.match(mail.subject, /invites you/)
  await sandbox.invitations.accept('ada@example.test')
  assert.equal((await invite(sandbox.url, mock.token, 'ada@example.test')).status, 409)
})

test('a failed save is reported to the user', async () => {
  const sandbox = await mock.sandbox('fails')
  await sandbox.scenarios.activate('addOrganizationMember:500')
  const response = await invite(sandbox.url, mock.token, 'ada@example.test')
  assert.equal(response.status, 500)
  assert.equal((await response.json()).error.code, 500)
  assert.equal((await sandbox.outbox.messages()).length, 0)
})
