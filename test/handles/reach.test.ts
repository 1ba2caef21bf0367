import { once } from 'node:events'
import http from 'node:http'
import net, { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import t from 'tap'
import { connect, type MockServer, startMockServer } from '../../src/index.js'
import { launch } from '../binary.js'
import { HISTORIES } from '../paths.js'

const intercept = () => {
  throw new Error('intercepted')
}
const neverFires = () => ({ unref() {}, ref() {}, refresh() {}, hasRef: () => false })

const replacements: Readonly<Record<string, readonly (readonly [object, PropertyKey, unknown])[]>> = {
  'a replaced fetch': [[globalThis, 'fetch', intercept]],
  'a patched http.request': [
    [http, 'request', intercept],
    [http, 'ClientRequest', intercept],
  ],
  'patched sockets': [
    [net, 'connect', intercept],
    [net.Socket.prototype, 'connect', intercept],
  ],
  'a dispatcher for every fetch': [[globalThis, Symbol.for('undici.globalDispatcher.1'), { dispatch: intercept }]],
  'a proxy that is down': [
    [process.env, 'HTTP_PROXY', 'http://127.0.0.1:9'],
    [process.env, 'http_proxy', 'http://127.0.0.1:9'],
  ],
  'timers that never fire': [
    [globalThis, 'setTimeout', neverFires],
    [globalThis, 'setInterval', neverFires],
    [globalThis, 'setImmediate', neverFires],
    [globalThis, 'queueMicrotask', neverFires],
  ],
}

async function withReplacements<T>(all: readonly (readonly [object, PropertyKey, unknown])[], work: () => Promise<T>) {
  const before = all.map(([owner, name]) => Reflect.get(owner, name))
  for (const [owner, name, value] of all) Reflect.set(owner, name, value)
  try {
    return await work()
  } finally {
    for (const [at, [owner, name]] of all.entries()) {
      if (before[at] === undefined) Reflect.deleteProperty(owner, name)
      else Reflect.set(owner, name, before[at])
    }
  }
}

async function useHandle(server: MockServer): Promise<readonly string[]> {
  const sandbox = await server.sandbox('a')
  await sandbox.scenarios.activate('gateway:503')
  const end = await sandbox.on('exchange', () => {})
  const active = await sandbox.scenarios.active()
  end()
  await sandbox.reset()
  return active
}

t.test('the handle works while fetch, sockets, proxies and timers are replaced', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const handles = { 'in process': mock, connected: await connect(mock.adminUrl) }
  for (const [name, all] of Object.entries(replacements))
    for (const [kind, handle] of Object.entries(handles))
      t.strictSame(await withReplacements(all, () => useHandle(handle)), ['gateway:503'], `${name}, ${kind}`)
})

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => isIPv6(address)))

t.test('the handle reaches its server at every address, with and without an admin token', async (t) => {
  for (const [host, adminToken] of [
    ['localhost', undefined],
    ['0.0.0.0', undefined],
    ['0.0.0.0', 'secret'],
    ...(hasIPv6 ? [['::1', 'secret'] as const, ['::', undefined] as const] : []),
  ] as const) {
    await using mock = await startMockServer({ port: 0, host, ...(adminToken && { adminToken }) })
    t.strictSame(await useHandle(mock), ['gateway:503'], `${host}, ${adminToken}`)
  }
})

t.test('a wrong process secret does not open the admin API, and the journal does not show the right one', async (t) => {
  await using open = await startMockServer({ port: 0, host: '0.0.0.0' })
  const call = async ({ adminUrl }: MockServer, headers: Record<string, string>) =>
    (await fetch(`${adminUrl}/state`, { headers })).status
  for (const secret of ['', 'wrong', 'x'.repeat(43), 'undefined'])
    t.equal(await call(open, { 'x-mock-process': secret }), 403, `off loopback: '${secret}'`)
  t.equal(await call(open, {}), 403, 'off loopback, without a secret')
  await using guarded = await startMockServer({ port: 0, adminToken: 'right' })
  t.equal(await call(guarded, { 'x-mock-process': 'wrong' }), 401, 'with an admin token, a wrong secret')
  await using loopback = await startMockServer({ port: 0 })
  const origin = 'https://foreign.example'
  t.equal(await call(loopback, { 'x-mock-process': 'wrong', origin }), 403, 'a wrong secret from a foreign page')
  await loopback.fetch(HISTORIES)
  t.notMatch(JSON.stringify(await loopback.requests()), 'x-mock-process', 'no exchange shows the header')
})

t.test('a hundred listeners at once cause no warning', async (t) => {
  const warnings: string[] = []
  const warn = ({ message }: Error) => void warnings.push(message)
  process.on('warning', warn)
  t.teardown(() => process.off('warning', warn))
  await using mock = await startMockServer({ port: 0 })
  const names = Array.from({ length: 100 }, (_, nth) => `s${nth}`)
  const sandboxes = await Promise.all(names.map((name) => mock.sandbox(name)))
  await Promise.all(sandboxes.map((sandbox) => sandbox.on('exchange', () => {})))
  await new Promise((later) => setTimeout(later))
  t.strictSame(warnings, [])
})

t.test('close rejects pending waits and ends listeners', async (t) => {
  const mock = await startMockServer({ port: 0 })
  const connected = await connect(mock.adminUrl)
  await mock.on('exchange', () => {})
  const waits = [mock, connected].map((handle) => handle.outbox.waitFor({ timeout: 60_000 }))
  const ends = Promise.all([
    t.rejects(waits[0]!, { message: 'The server was closed.' }),
    t.rejects(waits[1]!, { message: 'This connection was closed by close().' }),
  ])
  // Once this call is answered, both waits have begun.
  await mock.clock.now()
  await connected.close()
  await t.rejects(
    connected.clock.now(),
    { message: 'This connection was closed by close().' },
    'a closed handle rejects',
  )
  t.ok(await mock.clock.now(), 'the server keeps running')
  await mock.close()
  await ends
  await t.rejects(fetch(mock.url), 'the port is closed')
  await t.rejects(mock.requests(), { message: 'The server was closed.' }, 'a closed server rejects')
})

t.test('a handle that listens does not keep its process alive', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const script = `
    import { connect } from '${new URL('../../dist/index.mjs', import.meta.url)}'
    const mock = await connect('${mock.adminUrl}')
    await mock.on('exchange', () => {})`
  const { child, ended } = launch(t, process.execPath, ['--input-type=module', '--eval', script])
  await Promise.race([once(child, 'exit'), new Promise((later) => setTimeout(later, 20_000).unref())])
  t.equal(child.exitCode, 0, 'the process ends')
  t.equal((await ended).err, '')
})
