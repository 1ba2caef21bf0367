import { useSandbox } from 'countersign/vitest'
import { expect, test } from 'vitest'
import { client } from './client.js'

const world = useSandbox()
const api = client(world)

test('the last page is shorter', async () => {
  const { total } = await api.credits(1)
  const { histories } = await api.credits(Math.ceil(total / 10))
  expect(histories).toHaveLength(total % 10 || 10)
})

test('an expired token is an error', async () => {
  await world.scenarios.activate('listCreditHistories:401')
  await expect(api.credits(1)).rejects.toThrow('401')
})

test('the scenario of the test before is off', async () => {
  expect(await world.scenarios.active()).toEqual([])
  await expect(api.credits(1)).resolves.toBeDefined()
  expect(await world.requests()).toHaveLength(1)
})
