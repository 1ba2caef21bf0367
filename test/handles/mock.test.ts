import t from 'tap'
import { startMockServer } from '../../src/index.js'

const HISTORIES = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'

t.test('a server in process, and its handle', async (t) => {
  const mock = await startMockServer({ port: 0, clock: '2026-01-15T09:30:00Z' })
  const headers = { authorization: `Bearer ${mock.token}` }
  const worker = mock.sandbox('worker-3')
  t.equal(worker.url, `${mock.url}/~worker-3`, 'a sandbox has its address')
  const seen: string[] = []
  const stop = worker.on('exchange', ({ outcome }) => void seen.push(String(outcome)))
  worker.scenarios.activate('listCreditHistories:401')
  t.equal((await fetch(worker.url + HISTORIES, { headers })).status, 401, 'a scenario is on in the sandbox')
  t.equal((await fetch(mock.url + HISTORIES, { headers })).status, 200, 'it is off in the root')
  worker.scenarios.deactivate('listCreditHistories:401')
  t.strictSame(worker.scenarios.active(), [], 'a scenario can be switched off')
  const form = new FormData()
  for (const [name, value] of Object.entries({
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Lovelace',
    role: 'Member',
    organization_id: '1',
  }))
    form.set(`data[0][${name}]`, value)
  const add = () =>
    fetch(`${worker.url}/api/v2/organization/members/add?user_type=ENTERPRISE_API`, {
      method: 'POST',
      headers,
      body: form,
    })
  const mail = worker.outbox.waitFor({ to: 'ada@example.test' })
  t.equal((await add()).status, 200, 'the invitation is sent')
  t.match((await mail).links.accept, worker.url, 'the mail is waited for')
  t.equal((await worker.invitations.accept('ada@example.test')).status, 'accepted', 'the invitation is accepted')
  t.equal((await add()).status, 409, 'the second invitation is refused')
  await t.rejects(
    worker.invitations.decline('ada@example.test'),
    {
      message: /no pending invitation to 'ada@example.test'/,
    },
    'an accepted invitation cannot be declined',
  )
  await t.rejects(
    worker.outbox.waitFor({ to: 'nobody@example.test', timeout: 10 }),
    { message: /nobody@example.test/ },
    'a mail that does not come is reported',
  )
  stop()
  t.strictSame(
    seen,
    ['listCreditHistories:401', 'addOrganizationMember:200', 'addOrganizationMember:409'],
    'the listener saw each exchange until it stopped',
  )
  t.equal(worker.requests({ operation: 'addOrganizationMember', status: 409 }).length, 1, 'requests can be looked up')
  t.equal(worker.coverage().covered, 3, 'the outcomes are counted')
  worker.clock.advance(1000)
  t.equal(worker.clock.now().toISOString(), '2026-01-15T09:30:01.000Z', 'the clock is moved on')
  worker.reset()
  t.strictSame([worker.requests(), worker.outbox.messages()], [[], []], 'a reset empties the journal and the outbox')
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
  t.equal(one.requests().length, 1, 'the first has its own request only')
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

t.test('fixtures may be data; what does not fit is refused in words', async (t) => {
  const mock = await startMockServer({ port: 0, fixtures: { organizations: [] } })
  t.equal(mock.token, '', 'without users there is no token')
  t.strictSame(mock.state.get().organizations, [], 'the data is the state')
  await mock.close()
  await t.rejects(startMockServer({ port: -1 }), { name: 'InvalidOption' }, 'an impossible port is refused')
  await t.rejects(
    startMockServer({ port: 0, ...({ prot: 1 } as object) }),
    { message: /'prot' is unknown.*'port'/ },
    'a misspelt option is corrected',
  )
  await t.rejects(
    startMockServer({ port: 0, fixtures: { users: [{}] as never } }),
    { name: 'InvalidFiles' },
    'fixtures',
  )
  await t.rejects(startMockServer({ port: 0, active: ['nothing'] }), { message: /no scenario 'nothing'/ }, 'active')
  const other = await startMockServer({ port: 0 })
  t.throws(() => other.sandbox('no/name'), { name: 'InvalidOption' }, 'what is no name of a sandbox is refused')
  t.throws(() => other.clock.set('yesterday'), { message: /^'yesterday' is not a time/ }, 'nor is a time that is none')
  t.throws(
    () => other.scenarios.activate('addOrganizationMember:418' as string),
    { message: /Did you mean/ },
    'an unknown scenario is refused later too',
  )
  await other.close()
})
