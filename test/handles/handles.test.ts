import t, { type Test } from 'tap'
import { connect, type MockSandbox, type MockServer, startMockServer } from '../../src/index.js'
import { until } from '../binary.js'
import { formOf } from '../helper.js'
import { HISTORIES, INVITE } from '../paths.js'

const options = { port: 0, clock: '2026-01-15T09:30:00Z' } as const

function invite({ token }: MockSandbox, email: string): [path: string, init: RequestInit] {
  const member = { email, first_name: 'Ada', last_name: 'Lovelace', role: 'Member', organization_id: '1' }
  const body = formOf(Object.fromEntries(Object.entries(member).map(([name, value]) => [`data[0][${name}]`, value])))
  return [INVITE, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body }]
}

const cases: Readonly<Record<string, (t: Test, sandbox: MockSandbox, server: MockServer) => Promise<void>>> = {
  'a handle has the URLs, the token and the headers of its sandbox': async (t, sandbox, server) => {
    t.match(sandbox.url, `${server.url}/~`, 'the URL begins with the server’s')
    t.equal(server.adminUrl, `${server.url}/__admin`, 'the server has an admin URL')
    t.equal(sandbox.token, 'token-admin', 'the token is the first user’s')
    const [, name] = sandbox.url.split('/~')
    t.strictSame(sandbox.headers, { 'x-mock-sandbox': name }, 'a header selects the sandbox')
    t.equal(sandbox.ownToken, `token-admin~${name}`, 'ownToken selects the sandbox')
    t.strictSame([server.headers, server.ownToken], [{}, 'token-admin'], 'the root needs neither')
  },
  'active scenarios are listed in the order of their activation': async (t, { scenarios, fetch }) => {
    await scenarios.activate('listCreditHistories:401')
    await scenarios.activate('rate-limited')
    t.strictSame(await scenarios.active(), ['listCreditHistories:401', 'rate-limited'], 'both are active')
    await scenarios.deactivate('rate-limited')
    t.equal((await fetch(HISTORIES)).status, 401, 'the active scenario answers')
  },
  'an invalid name, event, number or filter is rejected': async (t, { scenarios, on, clock, outbox, requests }) => {
    for (const [call, message] of [
      [() => scenarios.activate(undefined as never), /scenario/],
      [() => on('nope' as never, () => {}), /There is no event 'nope'/],
      [() => on('exchange', undefined as never), /must be a function/],
      [() => clock.advance('5' as never), /'advance' must be/],
      [() => outbox.waitFor({ to: 5 as never, timeout: 10 }), /to must be a string|No mail/],
      [() => outbox.waitFor({ too: 'ada@example.test' } as never), /'too' is unknown/],
      [() => outbox.messages({ too: 'ada@example.test' } as never), /'too' is unknown/],
      [() => requests({ opreation: 'verifyDocument' } as never), /'opreation' is unknown/],
    ] as const)
      await t.rejects(async () => call(), { message })
  },
  'an unknown scenario is rejected': async (t, { scenarios }) => {
    for (const name of ['no-such', 'addOrganizationMember:418'])
      for (const act of ['activate', 'deactivate', 'remove'] as const)
        await rejects(t, () => scenarios[act](name as never), `There is no scenario '${name}'.`)
  },
  'a scenario is defined, replaced and removed': async (t, { scenarios, fetch, token }) => {
    const call = async () => (await fetch(HISTORIES, { headers: { authorization: `Bearer ${token}` } })).status
    const rules = [{ on: '*' as const, answer: { status: 503 } }]
    await scenarios.define('down', { rules })
    t.equal(await call(), 200, 'a new scenario is inactive')
    await scenarios.define('down', { rules, active: true })
    t.equal(await call(), 503, '`active: true` activates it')
    await scenarios.remove('down')
    t.equal(await call(), 200, 'a removed scenario does not answer')
    await rejects(t, () => scenarios.remove('flaky-network'), /'flaky-network' was not defined in this sandbox/)
  },
  'an invalid scenario is rejected with the path of each mistake': async (t, { scenarios }) => {
    const definition = { rules: [{ on: 'nothing' as never }, { on: '*' as const, times: 0 }] }
    const places = [
      { file: 'wrong', path: 'rules[0].on' },
      { file: 'wrong', path: 'rules[1].times' },
    ]
    const message = /^wrong: 'rules\.0\.on' must be /
    await t.rejects(scenarios.define('wrong', definition), { name: 'InvalidFiles', message, complaints: places })
    for (const empty of [{}, undefined as never])
      await t.rejects(scenarios.define('none', empty), { name: 'InvalidFiles', message: /'rules' is missing/ })
  },
  'a reset scenario starts over': async (t, { scenarios, fetch, token }) => {
    const call = async () => (await fetch(HISTORIES, { headers: { authorization: `Bearer ${token}` } })).status
    await scenarios.define('once', { rules: [{ on: '*', times: 1, answer: { status: 503 } }], active: true })
    const statuses = [await call(), await call()]
    await scenarios.reset()
    statuses.push(await call())
    await scenarios.reset('once')
    statuses.push(await call())
    t.strictSame(statuses, [503, 200, 503, 503], 'its rule answers again')
    await rejects(t, () => scenarios.reset('twice'), 'twice')
  },
  'waitFor returns the mail of an invitation, which can be accepted': async (t, sandbox) => {
    const mail = sandbox.outbox.waitFor({ to: 'ada@example.test' })
    t.equal((await sandbox.fetch(...invite(sandbox, 'ada@example.test'))).status, 200, 'the invitation is sent')
    t.match((await mail).links.accept, sandbox.url, 'the links of the mail begin with the sandbox’s URL')
    t.equal((await sandbox.outbox.messages({ to: 'ADA@example.test' })).length, 1, 'letter case is ignored')
    const accepted = await sandbox.invitations.accept('ada@example.test')
    t.match(accepted, { status: 'accepted', email: 'ada@example.test', invited_by: /^[\da-f-]{36}$/ }, 'it is returned')
    t.equal((await sandbox.invitations.all()).find(({ id }) => id === accepted.id)?.status, 'accepted', 'it is saved')
    const again = sandbox.invitations.decline('ada@example.test')
    await t.rejects(again, { message: "There is no pending invitation to 'ada@example.test'." }, 'only once')
    const { id } = await mail
    await sandbox.outbox.remove(id)
    t.strictSame(await sandbox.outbox.messages(), [], 'the mail is removed')
    await rejects(t, () => sandbox.outbox.remove(id), id)
  },
  'waitFor rejects if no mail comes': async (t, { outbox }) => {
    const wait = outbox.waitFor({ to: 'nobody@example.test', timeout: 20 })
    await t.rejects(wait, { message: 'No mail to nobody@example.test arrived within 20 ms.' }, 'with an address')
    await t.rejects(outbox.waitFor({ timeout: 0 }), { message: 'No mail arrived within 0 ms.' }, 'without an address')
  },
  'the clock can be read, set and advanced': async (t, { clock, reset }) => {
    t.strictSame(await clock.now(), new Date('2026-01-15T09:30:00Z'), 'it is a Date')
    await clock.set(new Date('2027-02-03T04:05:06Z'))
    await clock.advance(1_500)
    t.strictSame(await clock.now(), new Date('2027-02-03T04:05:07.500Z'), 'a set clock stands still')
    await clock.set('2026-01-01', false)
    await until(async () => (await clock.now()).getTime() > Date.UTC(2026, 0, 1))
    await reset()
    t.strictSame(await clock.now(), new Date('2026-01-15T09:30:00Z'), 'a reset restores it')
    await rejects(t, () => clock.set('1'), /^'1' is not a time\. Pass a Date, or an ISO 8601 time/, 'RangeError')
    await rejects(t, () => clock.set('1969-01-01'), /from 1970 to 9999/, 'RangeError')
    await rejects(t, () => clock.advance(Number.NaN), 'advance', 'RangeError')
  },
  'the state can be read, replaced and patched': async (t, { state, reset }) => {
    const seeded = await state.get()
    await state.patch({ organizations: [{ id: 1, name: 'Renamed' }] })
    const [first, ...others] = seeded.organizations ?? []
    t.strictSame((await state.get()).organizations, [{ ...first, name: 'Renamed' }, ...others], 'a record is patched')
    await state.set({ version: 1, organizations: [] })
    t.strictSame((await state.get()).organizations, [], 'the whole state is replaced')
    await reset()
    t.strictSame(await state.get(), seeded, 'a reset restores the seeded state')
    const [record] = seeded.credit_histories ?? []
    await state.remove('credit_histories', record!.id)
    t.equal((await state.get()).credit_histories?.length, seeded.credit_histories!.length - 1, 'a record is removed')
    for (const key of ['1', 'x']) await rejects(t, () => state.remove('organizations', key), 'organizations')
    const wrong = { organizations: [{ id: 'one' }] } as never
    for (const method of ['set', 'patch'] as const) {
      const complaints = [{ file: 'state', path: /^organizations\[0\]/ }]
      await t.rejects(state[method](wrong), { name: 'InvalidFiles', complaints }, `${method} rejects an invalid record`)
    }
  },
  'the journal and the coverage show the calls': async (t, { fetch, requests, coverage }) => {
    await fetch(HISTORIES)
    await fetch('/no/such/path')
    t.equal((await requests()).length, 2, 'both calls are listed')
    t.match(await requests({ operation: 'listCreditHistories' }), [{ status: 401 }], 'filtered by operation')
    t.match(await requests({ unmatched: true }), [{ operation: null, status: 404 }], 'filtered to unmatched calls')
    t.match(await requests({ search: 'SUCH no' }), [{ status: 404 }], 'filtered by words')
    t.strictSame(await requests({ status: 200 }), [], 'filtered by status')
    t.match(await coverage(), { covered: 1 }, 'one outcome was met')
    const operation = 'listCreditHistory' as never
    await rejects(t, () => requests({ operation }), /^There is no operation .*Did you mean 'listCreditHistories'\?/)
  },
  'a listener gets each exchange until it is removed': async (t, { fetch, on }) => {
    const outcomes: unknown[] = []
    const end = await on('exchange', ({ outcome }) => void outcomes.push(outcome))
    await fetch(`${HISTORIES}&line=%E2%80%A8`)
    await until(() => outcomes.length === 1)
    end()
    await fetch(HISTORIES)
    await new Promise((later) => setTimeout(later, 60))
    t.strictSame(outcomes, ['listCreditHistories:401'], 'only the first exchange is received')
  },
  'fetch accepts paths, URLs of the mock and any other URL': async (t, sandbox, server) => {
    const [, path] = /^http:\/\/[^/]+(.*)$/.exec(sandbox.url) as unknown as [string, string]
    const inputs = [
      HISTORIES,
      `${sandbox.url}${HISTORIES}`,
      new URL(`${sandbox.url}${HISTORIES}`),
      `${server.url.replace('127.0.0.1', 'localhost')}${path}${HISTORIES}`,
      `https://api.example.com${HISTORIES}`,
      new Request(`https://api.example.com${HISTORIES}`),
    ]
    for (const input of inputs)
      t.equal((await sandbox.fetch(input)).status, 401, `${input instanceof Request ? 'a Request' : input}`)
    t.equal((await sandbox.requests()).length, inputs.length, 'each request reached the sandbox')
    for (const input of ['api/v2', 'ftp://host/', 'no url'])
      await rejects(t, () => sandbox.fetch(input), 'Pass a path that begins with / or an http URL', 'TypeError')
  },
  'fetch fails if the connection fails': async (t, { fetch }) => {
    for (const fault of ['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE', 'RANDOM_DATA_THEN_CLOSE'])
      await rejects(t, () => fetch(HISTORIES, { headers: { prefer: `fault=${fault}` } }), 'fetch failed', 'TypeError')
    const broken = await fetch(HISTORIES, { headers: { prefer: 'fault=MALFORMED_RESPONSE_CHUNK' } })
    await t.rejects(broken.text(), { name: 'TypeError', message: 'terminated' }, 'a broken body fails while it is read')
    const signal = AbortSignal.timeout(30)
    const silent = fetch(HISTORIES, { headers: { prefer: 'fault=TIMEOUT' }, signal })
    await t.rejects(silent, { name: 'TimeoutError' }, 'a missing answer times out')
    await t.rejects(fetch(HISTORIES, { signal: AbortSignal.abort() }), { name: 'AbortError' }, 'an aborted signal')
  },
  'fetch follows, returns or rejects redirects': async (t, { fetch, url }) => {
    const followed = await fetch('/__admin/docs/')
    t.match(followed, { status: 200, url: `${url}/__admin/docs`, redirected: true }, 'by default')
    t.match(await followed.text(), '<html')
    t.equal((await fetch('/__admin/docs/', { redirect: 'manual' })).status, 302, 'manual')
    await t.rejects(fetch('/__admin/docs/', { redirect: 'error' }), { name: 'TypeError' }, 'error')
  },
}

function rejects(t: Test, call: () => unknown, message: string | RegExp, name = 'InvalidOption') {
  return t.rejects(async () => call(), { name, message }, `${name}: ${message}`)
}

t.test('a handle works the same in process and over the network', async (t) => {
  await using mock = await startMockServer(options)
  const handles: Readonly<Record<string, MockServer>> = { inProcess: mock, connected: await connect(mock.adminUrl) }
  for (const [at, [name, check]] of Object.entries(cases).entries()) {
    await t.test(name, async (t) => {
      for (const [kind, server] of Object.entries(handles))
        await t.test(kind, async (t) => check(t, await server.sandbox(`${kind}-${at}`), server))
    })
  }
})

t.test('sandbox names are checked, and connect accepts the admin URL of a sandbox', async (t) => {
  await using mock = await startMockServer(options)
  for (const server of [mock, await connect(mock.adminUrl)])
    await rejects(t, () => server.sandbox('no/name'), /^'no\/name' is not a valid sandbox name/)
  const sandbox = await connect(`${mock.adminUrl.replace('/__admin', '/~mine/__admin/')}`)
  t.equal(sandbox.url, `${mock.url}/~mine`, 'the handle has the sandbox’s URL')
  t.equal((await sandbox.sandbox('other')).url, `${mock.url}/~other`, 'it can open another sandbox')
})
