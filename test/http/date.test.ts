import t from 'tap'
import { startMockServer } from '../../src/index.js'

const CREDITS = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const ADMIN = { authorization: 'Bearer token-admin' }

t.test('answers of the API show the time of a frozen clock', async (t) => {
  await using mock = await startMockServer({ port: 0, clock: '2026-01-15T09:30:00.000Z' })
  const dateOf = async (path: string, headers: Record<string, string> = ADMIN) =>
    (await mock.fetch(path, { headers })).headers.get('date')
  const frozen = 'Thu, 15 Jan 2026 09:30:00 GMT'
  t.equal(await dateOf(CREDITS), frozen)
  t.equal(await dateOf(CREDITS, {}), frozen, 'a 401')
  t.equal(await dateOf('/nowhere'), frozen, 'what only the mock says')
  const own = await mock.sandbox('own')
  await own.clock.set('2031-02-03T04:05:06.000Z', true)
  t.equal(await dateOf(`/~own${CREDITS}`), 'Mon, 03 Feb 2031 04:05:06 GMT', 'of its sandbox')
  await own.clock.set('2031-02-03T04:05:06.000Z', false)
  const age = Date.now() - Date.parse(`${await dateOf(`/~own${CREDITS}`)}`)
  t.ok(Math.abs(age) < 60_000, 'a clock that runs shows the time of the machine')
})
