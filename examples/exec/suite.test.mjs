import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from './client.mjs'

const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
const api = client({ url: `${url}/~suite`, token })

test('all pages of credit histories together have each record once', async () => {
  const pages = await Promise.all([1, 2, 3].map(async (page) => (await api.credits(page)).json()))
  const ids = pages.flatMap(({ histories }) => histories.map(({ id }) => id))
  assert.equal(new Set(ids).size, pages[0].total)
})

test('a search without results answers 404', async () => {
  const { data } = await (await api.search('contract')).json()
  assert.ok(data.length > 0 && data.every(({ status, file_name }) => status === 'protected' && file_name.includes('.')))
  assert.equal((await api.search('no such thing')).status, 404)
})

test('an e-mail address with a plus is encoded', async () => {
  const response = await api.link('a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', 'ada+signing@example.test')
  assert.equal((await response.json()).email, 'ada+signing@example.test')
})

test('a server error is answered with 500', async () => {
  const response = await api.link('a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', 'ada@example.test', { prefer: 'code=500' })
  assert.equal(response.status, 500)
})
