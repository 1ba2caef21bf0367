import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from './client.mjs'

const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
const api = client({ url: `${url}/~suite`, token })

test('credit histories are read page by page', async () => {
  const { total, histories } = await (await api.credits(1)).json()
  assert.ok(histories.length <= 10 && total >= histories.length)
})

test('an empty result is not a failure', async () => {
  assert.equal((await api.search('contract')).status, 200)
  assert.equal((await api.search('no such thing')).status, 404)
})

test('an e-mail address with a plus is encoded', async () => {
  const response = await api.link('a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', 'ada+signing@example.test')
  assert.equal((await response.json()).email, 'ada+signing@example.test')
})

test('a server error is survived', async () => {
  const response = await api.link('a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', 'ada@example.test', { prefer: 'code=500' })
  assert.equal(response.status, 500)
})
