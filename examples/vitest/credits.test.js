import { useSandbox } from 'countersign/vitest'
import { expect, test } from 'vitest'
import { client } from './client.js'

const sandbox = useSandbox()
const api = client(sandbox)

test('the last page is shorter', async () => {
  const { total } = await api.credits(1)
  const last = Math.ceil(total / 10)
  const { page, histories } = await api.credits(last)
  expect(page).toBe(last)
  expect(histories).toHaveLength(total % 10 || 10)
})

test('an expired token is an error', async () => {
  await sandbox.scenarios.activate('listCreditHistories:401')
  await expect(api.credits(1)).rejects.toThrow(/^401: .*token/)
})
