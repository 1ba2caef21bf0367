import { request as httpRequest } from 'node:http'
import t from 'tap'
import { startMockServer } from '../../src/index.js'

const CREDITS = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const VERIFY = '/api/v2/verifications/document/verify?user_type=ENTERPRISE_API'
const ADMIN = { authorization: 'Bearer token-admin' }

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

t.test('two different Authorization headers are a violation, and the first one is read', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  for (const [tokens, codes] of [
    [['Bearer token-admin', 'Bearer token-member'], ['repeated-token']],
    [['Bearer token-admin', 'Bearer token-admin'], []],
  ] as const) {
    const status = await new Promise((resolve) => {
      const headers = tokens.flatMap((token) => ['Authorization', token])
      const sent = httpRequest(`${mock.url}${CREDITS}`, { headers: ['Host', '127.0.0.1', ...headers] as never })
      sent.on('response', (response) => resolve(response.resume().statusCode)).end()
    })
    t.equal(status, 200)
    const [exchange] = await mock.requests()
    t.same(
      exchange?.violations.map(({ code }) => code),
      codes,
    )
  }
})

t.test('OPTIONS and a 405 allow the same methods', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const [options, refused] = await Promise.all(
    ['OPTIONS', 'DELETE'].map((method) => mock.fetch(VERIFY, { method, headers: { origin: 'http://localhost:5173' } })),
  )
  t.equal(options?.headers.get('allow'), 'POST')
  t.equal(refused?.headers.get('allow'), 'POST')
})

t.test('a document of another user is said to be none of this user', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const verify = async (code: string) => {
    const body = formOf({ code, user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31' })
    const response = await mock.fetch(VERIFY, { method: 'POST', headers: ADMIN, body })
    return ((await response.json()) as { error: { message: string } }).error.message
  }
  t.equal(await verify('DOC-2025-0004'), "No document of this user has the code 'DOC-2025-0004'.")
  t.equal(await verify('DOC-1999-0001'), "No document has the code 'DOC-1999-0001'.")
})

t.test('an accepted invitation cannot be accepted again, and the message says no more', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const accepted = (await mock.invitations.all()).find(({ status }) => status === 'accepted')
  const again = await mock.fetch(`/__admin/invitations/${accepted?.id}/accept`, { method: 'POST' })
  t.match(await again.json(), { status: 409, detail: 'The invitation is already accepted.' })
})

t.test('a corrected line behind a proxy that speaks TLS says https', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const headers = { ...ADMIN, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'mock.example.test' }
  await mock.fetch(CREDITS.replace('per_page', 'perPage'), { headers })
  const [exchange] = await mock.requests()
  t.match(exchange?.violations[0]?.corrected, /^curl 'https:\/\/mock\.example\.test\/api/)
  const copied = await mock.fetch(`/__admin/requests/${exchange?.id}?format=curl`, { headers })
  t.match(await copied.text(), /'https:\/\/mock\.example\.test\/api/)
})

t.test('the buttons of a page that a header led to act in its sandbox', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const worker = await mock.sandbox('worker-1')
  const pending = (await worker.invitations.all()).find(({ status }) => status === 'pending')
  const address = `/invitations/${pending?.id}`
  const page = await mock.fetch(address, { headers: { 'x-mock-sandbox': 'worker-1' } })
  const [, action = ''] = /action="([^"]*accept)"/.exec(await page.text()) ?? []
  const pressed = await mock.fetch(new URL(action, `${mock.url}${address}`), { method: 'POST', redirect: 'manual' })
  t.equal(pressed.status, 303)
  const statusIn = async (world: typeof worker) =>
    (await world.invitations.all()).find(({ id }) => id === pending?.id)?.status
  t.same([await statusIn(worker), await statusIn(mock)], ['accepted', 'pending'])
})
