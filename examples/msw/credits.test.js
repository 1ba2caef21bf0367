import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startMockServer } from 'countersign'
import { handlers } from 'countersign/msw'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'

/** Your app calls the API here; it need not know of the mock. */
const baseUrl = 'https://api.example.com'
const path = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const headers = { authorization: 'Bearer token-admin' }

const mock = await startMockServer({ port: 0 })
const server = setupServer(
  ...handlers(mock, { baseUrl }),
  http.get('https://other.example.com/health', () => HttpResponse.json({ status: 'ok' })),
)
before(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => mock.reset())
after(async () => {
  server.close()
  await mock.close()
})

test('the API is answered by the mock', async () => {
  const response = await fetch(`${baseUrl}${path}`, { headers })
  assert.equal(response.status, 200)
  assert.equal((await response.json()).histories.length, 5)
  assert.equal((await mock.requests({ operation: 'listCreditHistories' })).length, 1)
})

test('every outcome is at hand', async () => {
  await mock.scenarios.activate('listCreditHistories:401')
  assert.equal((await fetch(`${baseUrl}${path}`, { headers })).status, 401)
})

test('a fault is a failed connection', async () => {
  const request = fetch(`${baseUrl}${path}`, { headers: { ...headers, prefer: 'fault=CONNECTION_RESET_BY_PEER' } })
  await assert.rejects(request, TypeError)
})

test('an unknown path gets the 404 of the mock, which says what is near', async () => {
  const response = await fetch(`${baseUrl}/api/v2/credit/histories`, { headers })
  assert.equal(response.status, 404)
  assert.match((await response.json()).detail, /\/api\/v2\/credits\/histories/)
})

test('other hosts are left alone', async () => {
  assert.equal((await (await fetch('https://other.example.com/health')).json()).status, 'ok')
  await assert.rejects(fetch('https://unknown.example.com/'))
})
