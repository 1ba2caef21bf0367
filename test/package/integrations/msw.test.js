import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect, startMockServer } from 'countersign'
import { handlers } from 'countersign/msw'
import { setupServer } from 'msw/node'

const mock = await startMockServer({ port: 0 })
const connected = await connect(mock.adminUrl)
const server = setupServer(
  ...handlers(await mock.sandbox('a'), { baseUrl: 'https://a.example.com' }),
  ...handlers(await connected.sandbox('b'), { baseUrl: 'https://b.example.com/base/' }),
)
const unhandled = []
before(() => server.listen({ onUnhandledRequest: ({ url }) => void unhandled.push(url) }))
after(async () => {
  server.close()
  await connected.close()
  await mock.close()
})

const headers = { authorization: 'Bearer token-admin' }

test('each host is answered by its sandbox, in this process or over HTTP', async () => {
  const link = '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link?email=ada%40example.test'
  for (const [base, name] of [
    ['https://a.example.com', 'a'],
    ['https://b.example.com/base', 'b'],
  ]) {
    const response = await fetch(`${base}${link}`, { method: 'POST', headers })
    assert.equal(response.status, 200)
    assert.match((await response.json()).link, new RegExp(`^${mock.url}/~${name}/`))
    assert.equal((await (await mock.sandbox(name)).requests()).length, 1)
  }
  assert.deepEqual(unhandled, [], 'calls of the mock itself are not intercepted')
})

test('bodies, redirects and time-outs pass through', async () => {
  const form = new FormData()
  form.set('file', new Blob([Buffer.from('89504e470d0a1a0a', 'hex')]), 'signature.png')
  const response = await fetch('https://a.example.com/client/signature?user_type=ENTERPRISE_API', {
    method: 'POST',
    headers,
    body: form,
  })
  assert.equal(response.status, 200)
  assert.equal((await fetch('https://a.example.com/__admin/docs/')).status, 200)
  const prefer = 'fault=TIMEOUT'
  await assert.rejects(
    fetch('https://a.example.com/client/signature', {
      headers: { prefer },
      method: 'POST',
      signal: AbortSignal.timeout(50),
    }),
    { name: 'TimeoutError' },
  )
})

test('URLs similar to a base URL are not intercepted', async () => {
  const similar = ['https://a.example.com.evil.test/', 'https://b.example.com/basement', 'http://a.example.com/']
  for (const url of similar) await fetch(url).catch(() => {})
  assert.deepEqual(unhandled, similar)
})

test('an invalid base URL is refused', () => {
  for (const baseUrl of ['', '/api', 'ftp://host', 'https://host?x=1', undefined])
    assert.throws(() => handlers(mock, { baseUrl }), {
      name: 'InvalidOption',
      message: /baseUrl must be the URL at which your app calls the API/,
    })
})
