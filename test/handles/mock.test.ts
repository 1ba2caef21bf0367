import t from 'tap'
import { startMockServer } from '../../src/index.js'
import { until } from '../binary.js'
import { HISTORIES } from '../by-hand.js'

t.test('in process, a handle tells what was called, until the server is closed', async (t) => {
  const mock = await startMockServer({ port: 0, clock: '2026-01-15T09:30:00Z' })
  const worker = await mock.sandbox('worker-3')
  const seen: string[] = []
  const stop = await worker.on('exchange', ({ outcome }) => void seen.push(String(outcome)))
  await worker.scenarios.activate('listCreditHistories:401')
  t.strictSame(await worker.scenarios.active(), ['listCreditHistories:401'], 'what is on')
  await fetch(worker.url + HISTORIES)
  await until(() => seen.length === 1)
  stop()
  await fetch(worker.url + HISTORIES)
  t.strictSame(seen, ['listCreditHistories:401'], 'the listener saw each exchange until it stopped')
  t.equal((await worker.requests({ operation: 'listCreditHistories', status: 401 })).length, 2, 'what was called')
  t.equal((await worker.coverage()).covered, 1, 'what was covered')
  await worker.clock.advance(1000)
  t.equal((await worker.clock.now()).toISOString(), '2026-01-15T09:30:01.000Z', 'the clock is moved on')
  await worker.reset()
  t.strictSame(
    [await worker.requests(), await worker.outbox.messages()],
    [[], []],
    'a reset empties the journal and the outbox',
  )
  await mock.close()
  await t.rejects(fetch(mock.url), 'a closed server does not answer')
})

t.test('two servers in one process share nothing, and dispose of themselves', async (t) => {
  const [one, two] = await Promise.all([
    startMockServer({ port: 0 }),
    startMockServer({ port: 0, active: ['listCreditHistories:401'] }),
  ])
  const headers = { authorization: `Bearer ${one.token}` }
  t.equal((await fetch(one.url + HISTORIES, { headers })).status, 200, 'the first answers as usual')
  t.equal((await fetch(two.url + HISTORIES, { headers })).status, 401, 'the second plays its scenario')
  t.equal((await one.requests()).length, 1, 'the first has its own request only')
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

t.test('fixtures may be data; what does not fit is refused in words', async (t) => {
  const mock = await startMockServer({ port: 0, fixtures: { organizations: [] } })
  t.equal(mock.token, '', 'without users there is no token')
  t.strictSame((await mock.state.get()).organizations, [], 'the data is the state')
  await mock.close()
  for (const [options, name, message] of [
    [{ port: -1 }, 'InvalidOption', 'port'],
    [{ prot: 1 } as object, 'InvalidOption', /'prot' is unknown.*'port'/],
    [{ fixtures: { users: [{}] as never } }, 'InvalidFiles', 'uuid'],
    [{ active: ['nothing'] }, 'InvalidOption', /no scenario 'nothing'/],
  ] as const)
    await t.rejects(startMockServer({ port: 0, ...options }), { name, message }, JSON.stringify(options))
  const other = await startMockServer({ port: 0 })
  await t.rejects(other.sandbox('no/name'), { name: 'InvalidOption' }, 'what is no name of a sandbox is refused')
  await t.rejects(other.clock.set('yesterday'), { message: /^'yesterday' is not a time/ }, 'nor is a time that is none')
  await t.rejects(other.scenarios.activate('addOrganizationMember:418' as string), { message: /Did you mean/ })
  await t.rejects(other.scenarios.remove('none'), { name: 'InvalidOption' }, 'nor is a scenario that is none removed')
  await t.rejects(other.scenarios.define('none', undefined as never), { message: /'rules' is missing/ })
  await other.close()
})
