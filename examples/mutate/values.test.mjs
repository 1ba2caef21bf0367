import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from './client.mjs'

const { COUNTERSIGN_URL, COUNTERSIGN_TOKEN: token } = process.env
const url = `${COUNTERSIGN_URL}/~values`
const api = client({ url, token })
const admin = async (path) => (await fetch(`${url}/__admin/${path}`)).json()

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const types = (record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, typeof value]))

test('an uploaded signature is stored under the id of the answer', async () => {
  const { body } = await api.uploadSignature()
  assert.deepEqual(types(body), { status: 'string', message: 'string', signature_id: 'string' })
  const { signatures } = await admin('state')
  assert.ok(JSON.stringify(signatures).includes(body.signature_id))
})

test('an update changes the role of a member, and keeps the name', async () => {
  const { body } = await api.updateSubOrganizationMember('101', { role: 'Admin' })
  assert.deepEqual(types(body), { status: 'string', message: 'string', data: 'object' })
  assert.deepEqual(body.data, { id: 101, first_name: 'Zoë', last_name: "O'Connor", role: 'Admin' })
  const again = await api.updateSubOrganizationMember('101', { first_name: 'Zoe' })
  assert.deepEqual(again.body.data, { ...body.data, first_name: 'Zoe' })
})

test('a document is verified', async () => {
  const { body } = await api.verifyDocument('DOC-2025-0001')
  const { status, message, document } = body
  assert.equal(status, 'verified')
  assert.equal(typeof message, 'string')
  assert.equal(document.code, 'DOC-2025-0001')
  assert.equal(document.user_uuid, '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31')
  assert.match(document.verified_at, UTC)
})

test('a search finds all matching documents', async () => {
  const { body } = await api.searchProtectedAttachments('contract')
  assert.equal(typeof body.message, 'string')
  assert.equal(body.data.length, 13)
  for (const { id, project_file_id, blockchain_id, ...labels } of body.data) {
    for (const number of [id, project_file_id, blockchain_id]) assert.ok(Number.isInteger(number))
    assert.equal(labels.status, 'protected')
    assert.ok(JSON.parse(labels.project_file_meta))
    assert.equal(Object.values(labels).filter((label) => typeof label === 'string').length, 14)
  }
})

test('the pages of credit histories contain each record once', async () => {
  const pages = [await api.listCreditHistories(1), await api.listCreditHistories(2), await api.listCreditHistories(3)]
  const all = pages.flatMap(({ body }) => body.histories)
  for (const [at, { body }] of pages.entries()) {
    assert.equal(body.page, at + 1)
    assert.equal(body.per_page, 10)
    assert.equal(body.total, all.length)
  }
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
  for (const { id, organization_uuid, type, amount, currency, created_at, user_type, details } of all) {
    assert.match(id, UUID)
    assert.equal(organization_uuid, '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20')
    assert.deepEqual([typeof type, typeof amount], ['string', 'number'])
    assert.match(currency, /^[A-Z]{3}$/)
    assert.match(created_at, UTC)
    assert.equal(typeof user_type, 'string')
    assert.deepEqual(types(details), { source: 'string', note: 'string' })
  }
})

test('an error of credit histories contains its status and the missing parameter', async () => {
  const failing = (status, withToken = token) =>
    client({ url, token: withToken, more: { prefer: `expect=${status}` } }).listCreditHistories('')
  const { status, body } = await failing(400)
  assert.equal(status, 400)
  assert.equal(body.error.code, 400)
  assert.match(body.error.message, /page/)
  const { body: unknown } = await failing(401, 'nobody')
  assert.equal(unknown.error.code, 401)
  assert.equal(typeof unknown.error.message, 'string')
})

test('an invited person gets a mail', async () => {
  const { body } = await api.addOrganizationMember('ada@example.test')
  assert.deepEqual(types(body), { status: 'string', message: 'string' })
  const { messages } = await admin('outbox?to=ada@example.test')
  assert.equal(messages.length, 1)
})

test('a signing link opens a page', async () => {
  const { body } = await api.createSigningLink('ada@example.test')
  assert.equal((await fetch(body.link)).status, 200)
})
