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

test('a record tells what was paid, and when', async () => {
  const { histories } = await api.credits(1)
  for (const { amount, currency, created_at, details } of histories) {
    expect(amount).toBeTypeOf('number')
    expect(currency).toMatch(/^[A-Z]{3}$/)
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(details.note).toBeTypeOf('string')
  }
})

test('an expired token is an error', async () => {
  await sandbox.scenarios.activate('listCreditHistories:401')
  await expect(api.credits(1)).rejects.toThrow(/^401: .*token/)
})

test('the scenario of the test before is off', async () => {
  expect(await sandbox.scenarios.active()).toEqual([])
  await expect(api.credits(1)).resolves.toBeDefined()
  expect(await sandbox.requests()).toHaveLength(1)
})
