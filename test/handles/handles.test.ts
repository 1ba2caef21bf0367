import t, { type Test } from 'tap'
import { connect, type MockServer as Handle, startMockServer, type MockSandbox as World } from '../../src/index.js'
import { until } from '../binary.js'
import { formOf } from '../helper.js'
import { HISTORIES, INVITE } from '../paths.js'

const options = { port: 0, clock: '2026-01-15T09:30:00Z' } as const

function invite({ token }: World, email: string): [path: string, init: RequestInit] {
  const member = { email, first_name: 'Ada', last_name: 'Lovelace', role: 'Member', organization_id: '1' }
  const body = formOf(Object.fromEntries(Object.entries(member).map(([name, value]) => [`data[0][${name}]`, value])))
  return [INVITE, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body }]
}

const promises: Readonly<Record<string, (t: Test, world: World, server: Handle) => Promise<void>>> = {
  'it knows its address and its token': async (t, world, server) => {
    t.match(world.url, `${server.url}/~`, 'the base URL is below that of the server')
    t.equal(server.adminUrl, `${server.url}/__admin`, 'the admin API has its address')
    t.equal(world.token, 'token-admin', 'the first user has a token')
    const [, name] = world.url.split('/~')
    t.strictSame(world.headers, { 'x-mock-sandbox': name }, 'a header names it')
    t.equal(world.ownToken, `token-admin~${name}`, 'and so does a token')
    t.strictSame([server.headers, server.ownToken], [{}, 'token-admin'], 'the root is named by nothing')
  },
  'scenarios are switched on and off, and listed in that order': async (t, { scenarios, fetch }) => {
    await scenarios.activate('listCreditHistories:401')
    await scenarios.activate('rate-limited')
    t.strictSame(await scenarios.active(), ['listCreditHistories:401', 'rate-limited'], 'two are on')
    await scenarios.deactivate('rate-limited')
    t.equal((await fetch(HISTORIES)).status, 401, 'the one that is on answers')
  },
  'an invalid name, event, number or filter is refused': async (t, { scenarios, on, clock, outbox, requests }) => {
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
  'an unknown scenario is refused': async (t, { scenarios }) => {
    for (const name of ['no-such', 'addOrganizationMember:418'])
      for (const act of ['activate', 'deactivate', 'remove'] as const)
        await refuses(t, () => scenarios[act](name as never), `There is no scenario '${name}'.`)
  },
  'a scenario is defined, replaced and removed': async (t, { scenarios, fetch, token }) => {
    const call = async () => (await fetch(HISTORIES, { headers: { authorization: `Bearer ${token}` } })).status
    const rules = [{ on: '*' as const, answer: { status: 503 } }]
    await scenarios.define('down', { rules })
    t.equal(await call(), 200, 'it is off at first')
    await scenarios.define('down', { rules, active: true })
    t.equal(await call(), 503, 'it is on where it says so')
    await scenarios.remove('down')
    t.equal(await call(), 200, 'it is gone')
    await refuses(t, () => scenarios.remove('flaky-network'), /'flaky-network' was not defined in this sandbox/)
  },
  'a scenario that cannot be used is refused with each place': async (t, { scenarios }) => {
    const definition = { rules: [{ on: 'nothing' as never }, { on: '*' as const, times: 0 }] }
    const places = [
      { file: 'wrong', path: 'rules[0].on' },
      { file: 'wrong', path: 'rules[1].times' },
    ]
    const message = /^wrong: 'rules\.0\.on' must be /
    await t.rejects(scenarios.define('wrong', definition), { name: 'InvalidFiles', message, complaints: places })
    for (const nothing of [{}, undefined as never])
      await t.rejects(scenarios.define('none', nothing), { name: 'InvalidFiles', message: /'rules' is missing/ })
  },
  'a scenario starts over': async (t, { scenarios, fetch, token }) => {
    const call = async () => (await fetch(HISTORIES, { headers: { authorization: `Bearer ${token}` } })).status
    await scenarios.define('once', { rules: [{ on: '*', times: 1, answer: { status: 503 } }], active: true })
    const statuses = [await call(), await call()]
    await scenarios.reset()
    statuses.push(await call())
    await scenarios.reset('once')
    statuses.push(await call())
    t.strictSame(statuses, [503, 200, 503, 503], 'its rule is not spent any more')
    await refuses(t, () => scenarios.reset('twice'), 'twice')
  },
  'waitFor returns the mail of an invitation, which can be accepted': async (t, world) => {
    const mail = world.outbox.waitFor({ to: 'ada@example.test' })
    t.equal((await world.fetch(...invite(world, 'ada@example.test'))).status, 200, 'the invitation is sent')
    t.match((await mail).links.accept, world.url, 'the mail leads to the sandbox')
    t.equal((await world.outbox.messages({ to: 'ADA@example.test' })).length, 1, 'it is found in any letter case')
    const accepted = await world.invitations.accept('ada@example.test')
    t.match(accepted, { status: 'accepted', email: 'ada@example.test', invited_by: /^[\da-f-]{36}$/ }, 'it is whole')
    t.equal((await world.invitations.all()).find(({ id }) => id === accepted.id)?.status, 'accepted', 'it is kept')
    const again = world.invitations.decline('ada@example.test')
    await t.rejects(again, { message: "There is no pending invitation to 'ada@example.test'." }, 'not twice')
    const { id } = await mail
    await world.outbox.remove(id)
    t.strictSame(await world.outbox.messages(), [], 'a mail is removed')
    await refuses(t, () => world.outbox.remove(id), id)
  },
  'waitFor rejects if no mail comes': async (t, { outbox }) => {
    const wait = outbox.waitFor({ to: 'nobody@example.test', timeout: 20 })
    await t.rejects(wait, { message: 'No mail to nobody@example.test arrived within 20 ms.' }, 'to whom')
    await t.rejects(outbox.waitFor({ timeout: 0 }), { message: 'No mail arrived within 0 ms.' }, 'and to anyone')
  },
  'the clock is read, set and moved': async (t, { clock, reset }) => {
    t.strictSame(await clock.now(), new Date('2026-01-15T09:30:00Z'), 'it is a Date')
    await clock.set(new Date('2027-02-03T04:05:06Z'))
    await clock.advance(1_500)
    t.strictSame(await clock.now(), new Date('2027-02-03T04:05:07.500Z'), 'it stands still where it is set')
    await clock.set('2026-01-01', false)
    await until(async () => (await clock.now()).getTime() > Date.UTC(2026, 0, 1))
    await reset()
    t.strictSame(await clock.now(), new Date('2026-01-15T09:30:00Z'), 'a reset sets it back')
    await refuses(t, () => clock.set('yesterday'), /^'yesterday' is not a time/, 'RangeError')
    await refuses(t, () => clock.set('1'), /^'1' is not a time\. Pass a Date, or an ISO 8601 time/, 'RangeError')
    await refuses(t, () => clock.set('2026-01-15T09:30'), 'is not a time', 'RangeError')
    await refuses(t, () => clock.set('1969-01-01'), /from 1970 to 9999/, 'RangeError')
    await refuses(t, () => clock.advance(Number.NaN), 'advance', 'RangeError')
  },
  'the state is read, replaced and patched': async (t, { state, reset }) => {
    const seeded = await state.get()
    await state.patch({ organizations: [{ id: 1, name: 'Renamed' }] })
    const [first, ...others] = seeded.organizations ?? []
    t.strictSame((await state.get()).organizations, [{ ...first, name: 'Renamed' }, ...others], 'a record is patched')
    await state.set({ version: 1, organizations: [] })
    t.strictSame((await state.get()).organizations, [], 'the whole is replaced')
    await reset()
    t.strictSame(await state.get(), seeded, 'a reset brings the seeded state back')
    const [record] = seeded.credit_histories ?? []
    await state.remove('credit_histories', record!.id)
    t.equal((await state.get()).credit_histories?.length, seeded.credit_histories!.length - 1, 'one is removed')
    for (const key of ['1', 'x']) await refuses(t, () => state.remove('organizations', key), 'organizations')
    const wrong = { organizations: [{ id: 'one' }] } as never
    for (const method of ['set', 'patch'] as const) {
      const complaints = [{ file: 'state', path: /^organizations\[0\]/ }]
      await t.rejects(state[method](wrong), { name: 'InvalidFiles', complaints }, `${method} refuses what does not fit`)
    }
  },
  'the journal and the coverage show the calls': async (t, { fetch, requests, coverage }) => {
    await fetch(HISTORIES)
    await fetch('/no/such/path')
    t.equal((await requests()).length, 2, 'both are there')
    t.match(await requests({ operation: 'listCreditHistories' }), [{ status: 401 }], 'by operation')
    t.match(await requests({ unmatched: true }), [{ operation: null, status: 404 }], 'those without an operation')
    t.match(await requests({ search: 'SUCH no' }), [{ status: 404 }], 'by words')
    t.strictSame(await requests({ status: 200 }), [], 'by status')
    t.match(await coverage(), { covered: 1 }, 'one outcome was met')
    const operation = 'listCreditHistory' as never
    await refuses(t, () => requests({ operation }), /^There is no operation .*Did you mean 'listCreditHistories'\?/)
  },
  'a listener gets each exchange until it is removed': async (t, { fetch, on }) => {
    const heard: unknown[] = []
    const end = await on('exchange', ({ outcome }) => void heard.push(outcome))
    await fetch(HISTORIES)
    await until(() => heard.length === 1)
    end()
    await fetch(HISTORIES)
    await new Promise((later) => setTimeout(later, 60))
    t.strictSame(heard, ['listCreditHistories:401'], 'the second is not heard')
  },
  'fetch takes paths, URLs of the mock and any other URL': async (t, world, server) => {
    const [, path] = /^http:\/\/[^/]+(.*)$/.exec(world.url) as unknown as [string, string]
    const inputs = [
      HISTORIES,
      `${world.url}${HISTORIES}`,
      new URL(`${world.url}${HISTORIES}`),
      `${server.url.replace('127.0.0.1', 'localhost')}${path}${HISTORIES}`,
      `https://api.example.com${HISTORIES}`,
      new Request(`https://api.example.com${HISTORIES}`),
    ]
    for (const input of inputs)
      t.equal((await world.fetch(input)).status, 401, `${input instanceof Request ? 'a Request' : input}`)
    t.equal((await world.requests()).length, inputs.length, 'each reached the sandbox')
    for (const input of ['api/v2', 'ftp://host/', 'no url'])
      await refuses(t, () => world.fetch(input), 'Pass a path that begins with / or an http URL', 'TypeError')
  },
  'fetch fails as a connection does': async (t, { fetch }) => {
    for (const fault of ['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE', 'RANDOM_DATA_THEN_CLOSE'])
      await refuses(t, () => fetch(HISTORIES, { headers: { prefer: `fault=${fault}` } }), 'fetch failed', 'TypeError')
    const broken = await fetch(HISTORIES, { headers: { prefer: 'fault=MALFORMED_RESPONSE_CHUNK' } })
    await t.rejects(broken.text(), { name: 'TypeError', message: 'terminated' }, 'a body breaks off while it is read')
    const signal = AbortSignal.timeout(30)
    const silent = fetch(HISTORIES, { headers: { prefer: 'fault=TIMEOUT' }, signal })
    await t.rejects(silent, { name: 'TimeoutError' }, 'no answer')
    await t.rejects(fetch(HISTORIES, { signal: AbortSignal.abort() }), { name: 'AbortError' }, 'given up before')
  },
  'fetch follows redirects as its options say': async (t, { fetch, url }) => {
    const followed = await fetch('/__admin/docs/')
    t.match(followed, { status: 200, url: `${url}/__admin/docs`, redirected: true }, 'by default')
    t.match(await followed.text(), '<html')
    t.equal((await fetch('/__admin/docs/', { redirect: 'manual' })).status, 302, 'by hand')
    await t.rejects(fetch('/__admin/docs/', { redirect: 'error' }), { name: 'TypeError' }, 'not at all')
  },
}

function refuses(t: Test, call: () => unknown, message: string | RegExp, name = 'InvalidOption') {
  return t.rejects(async () => call(), { name, message }, `${name}: ${message}`)
}

t.test('a handle does the same in process and over the network', async (t) => {
  await using mock = await startMockServer(options)
  const handles: Readonly<Record<string, Handle>> = { here: mock, elsewhere: await connect(mock.adminUrl) }
  for (const [at, [name, keeps]] of Object.entries(promises).entries()) {
    await t.test(name, async (t) => {
      for (const [place, server] of Object.entries(handles))
        await t.test(place, async (t) => keeps(t, await server.sandbox(`${place}-${at}`), server))
    })
  }
})

t.test('a sandbox name must fit into a path', async (t) => {
  await using mock = await startMockServer(options)
  for (const server of [mock, await connect(mock.adminUrl)])
    await refuses(t, () => server.sandbox('no/name'), /^'no\/name' is not a valid sandbox name/)
  const sandbox = await connect(`${mock.adminUrl.replace('/__admin', '/~mine/__admin/')}`)
  t.equal(sandbox.url, `${mock.url}/~mine`, 'the address of a sandbox gives its handle')
  t.equal((await sandbox.sandbox('other')).url, `${mock.url}/~other`, 'from there, another is reached')
})
