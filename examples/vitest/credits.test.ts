import { beforeEach, expect, inject, test } from 'vitest'

const { url, token } = inject('countersign')
/** A world of its own for each worker, chosen by the base URL alone. */
const world = `${url}/~worker-${process.env.VITEST_POOL_ID}`

beforeEach(async () => {
  await fetch(`${world}/__admin/reset`, { method: 'POST' })
})

test('the last page is shorter', async () => {
  const query = new URLSearchParams({
    page: '3',
    per_page: '10',
    organization_uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20',
  })
  const response = await fetch(`${world}/api/v2/credits/histories?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { histories, total } = await response.json()
  expect(histories).toHaveLength(total - 20)
})
