import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from './client.mjs'

const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
const api = client({ url, token })

/** Each operation, its arguments, and the statuses of its failures. */
const operations = [
  ['uploadSignature', [], [401, 422]],
  ['updateSubOrganizationMember', ['101', { role: 'Admin' }], [400, 401, 403, 404, 500]],
  ['verifyDocument', ['DOC-2025-0001'], [400, 401, 404, 422]],
  ['searchProtectedAttachments', ['contract'], [400, 401, 404, 500]],
  ['listCreditHistories', [1], [400, 401]],
  ['addOrganizationMember', ['ada@example.test'], [400, 401, 409, 500]],
  ['createSigningLink', ['ada@example.test'], [400, 401, 404, 500]],
]

for (const [operation, args, failures] of operations) {
  test(`${operation} succeeds`, async () => {
    const { [operation]: call } = api
    const { status, body } = await call(...args)
    assert.equal(status, 200)
    assert.ok(body)
  })
  for (const failure of failures)
    test(`${operation} fails with ${failure}`, async () => {
      const { [operation]: call } = client({ url, token, more: { prefer: `code=${failure}` } })
      assert.equal((await call(...args)).status, failure)
    })
}
