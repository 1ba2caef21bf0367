import { once } from 'node:events'
import http from 'node:http'
import net, { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import t from 'tap'
import { connect, type MockServer, startMockServer } from '../../src/index.js'
import { launch } from '../binary.js'
import { HISTORIES } from '../paths.js'

const refuse = () => {
  throw new Error('intercepted')
}
const never = () => ({ unref() {}, ref() {}, refresh() {}, hasRef: () => false })

const replacements: Readonly<Record<string, readonly (readonly [object, PropertyKey, unknown])[]>> = {
  'a replaced fetch': [[globalThis, 'fetch', refuse]],
  'a patched http.request': [
    [http, 'request', refuse],
    [http, 'ClientRequest', refuse],
  ],
  'patched sockets': [
    [net, 'connect', refuse],
    [net.Socket.prototype, 'connect', refuse],
  ],
  'a dispatcher for every fetch': [[globalThis, Symbol.for('undici.globalDispatcher.1'), { dispatch: refuse }]],
  'a proxy that is down': [
    [process.env, 'HTTP_PROXY', 'http://127.0.0.1:9'],
    [process.env, 'http_proxy', 'http://127.0.0.1:9'],
  ],
  'timers that never fire': [
    [globalThis, 'setTimeout', never],
    [globalThis, 'setInterval', never],
    [globalThis, 'setImmediate', never],
    [globalThis, 'queueMicrotask', never],
  ],
}

async function replaced<T>(all: readonly (readonly [object, PropertyKey, unknown])[], work: () => Promise<T>) {
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
  const handles = { 'in process': mock, elsewhere: await connect(mock.adminUrl) }
  for (const [name, all] of Object.entries(replacements))
    for (const [place, handle] of Object.entries(handles))
      t.strictSame(await replaced(all, () => useHandle(handle)), ['gateway:503'], `${name}, ${place}`)
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

t.test('the secret of the process opens the admin API to its own handle alone', async (t) => {
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
  t.notMatch(JSON.stringify(await loopback.requests()), 'x-mock-process', 'no exchange has it')
})

t.test('a hundred calls at once print no warning', async (t) => {
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
  const elsewhere = await connect(mock.adminUrl)
  await mock.on('exchange', () => {})
  const waits = [mock, elsewhere].map((handle) => handle.outbox.waitFor({ timeout: 60_000 }))
  const ends = Promise.all([
    t.rejects(waits[0]!, { message: 'The server was closed.' }),
    t.rejects(waits[1]!, { message: 'The handle was closed.' }),
  ])
  // By now, both calls are waiting.
  await mock.clock.now()
  await elsewhere.close()
  await t.rejects(elsewhere.clock.now(), { message: 'The handle was closed.' }, 'no more calls')
  t.ok(await mock.clock.now(), 'the server goes on')
  await mock.close()
  await ends
  await t.rejects(fetch(mock.url), 'nothing listens')
  await t.rejects(mock.requests(), { message: 'The server was closed.' }, 'no more calls')
})

t.test('a handle that listens does not keep its process alive', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const script = `
    import { connect } from '${new URL('../../dist/index.mjs', import.meta.url)}'
    const mock = await connect('${mock.adminUrl}')
    await mock.on('exchange', () => {})`
  const { child, ended } = launch(t, process.execPath, ['--input-type=module', '--eval', script])
  await Promise.race([once(child, 'exit'), new Promise((later) => setTimeout(later, 20_000).unref())])
  t.equal(child.exitCode, 0, 'it ends')
  t.equal((await ended).err, '')
})
