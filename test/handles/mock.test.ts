import type { RequestListener } from 'node:http'
import { networkInterfaces } from 'node:os'
import t, { type Test } from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { connect, startMockServer } from '../../src/index.js'
import { launch, serve, until } from '../binary.js'
import { answering, stub } from '../forward/provider.js'
import { adminOf, build, formOf, type Server, send } from '../helper.js'
import { HISTORIES, UPLOAD } from '../paths.js'

t.test('in process, exchanges are printed only with logRequests', async (t) => {
  for (const [logRequests, lines] of [[true, 1] as const, [false, 0] as const]) {
    const script = `
      import { startMockServer } from '${new URL('../../dist/index.mjs', import.meta.url)}'
      const mock = await startMockServer({ port: 0, logRequests: ${logRequests} })
      await mock.fetch('${HISTORIES}')
      await mock.close()`
    const { out } = await launch(t, process.execPath, ['--input-type=module', '--eval', script]).ended
    t.equal(out.match(/401 listCreditHistories:401/g)?.length ?? 0, lines, `logRequests: ${logRequests}`)
  }
})

t.test('fixtures may be data; invalid options and fixtures are rejected with a message', async (t) => {
  await using mock = await startMockServer({ port: 0, fixtures: { organizations: [] } })
  t.equal(mock.token, '', 'without users there is no token')
  t.strictSame((await mock.state.get()).organizations, [], 'the state is the data')
  for (const [options, name, message] of [
    [{ port: -1 }, 'InvalidOption', 'port'],
    [{ prot: 1 } as object, 'InvalidOption', /'prot' is unknown.*'port'/],
    [{ clock: new Date() } as object, 'InvalidOption', /not a Date: pass its toISOString\(\)\.$/],
    [{ fixtures: { users: [{}] as never } }, 'InvalidFiles', 'uuid'],
    [{ active: ['nothing'] }, 'InvalidOption', /no scenario 'nothing'/],
  ] as const)
    await t.rejects(startMockServer({ port: 0, ...options }), { name, message }, JSON.stringify(options))
  for (const options of [null, 4010] as never[])
    await t.rejects(startMockServer(options), { name: 'InvalidOption', message: /takes an object of options, not/ })
})

t.test('violations of an outcome that a handle expects are marked', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const sandbox = await mock.sandbox('w')
  await sandbox.expect('listCreditHistories:401', { times: 1 })
  await sandbox.expect('listCreditHistories:401')
  for (let nth = 0; nth < 3; nth++) await sandbox.fetch(HISTORIES)
  const marked = (await sandbox.requests()).map(({ violations }) => violations[0]?.expected)
  t.same(marked, [false, true, true], 'only as many as are expected')
  await t.rejects(sandbox.expect('listCreditHistories:409' as never), { name: 'InvalidOption', message: /Allowed: / })
  await t.rejects(sandbox.expect('listCreditHistories:401', 0), { name: 'InvalidOption', message: /times/ })
})

const duplex = { duplex: 'half' } as const

function slowBody(): ReadableStream {
  let remaining = 200
  return new ReadableStream({
    async pull(controller) {
      await new Promise((later) => setTimeout(later, 5))
      if (remaining-- > 0) controller.enqueue(new Uint8Array(1_000))
      else controller.close()
    },
  })
}

t.test('the server closes even if an answer of mock.fetch was not read', async (t) => {
  const mock = await startMockServer({ port: 0 })
  t.equal((await mock.fetch('/__admin/docs/')).status, 200)
  await mock.close()
})

t.test('mock.fetch handles bodies and signals like fetch', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const authorization = `Bearer ${mock.token}`
  const plain: typeof mock.fetch = (path, init) => fetch(`${mock.url}${path}`, init)
  for (const [name, call] of Object.entries({ 'mock.fetch': mock.fetch, fetch: plain }))
    await t.test(name, async (t) => {
      const unauthorized = await call(UPLOAD, { method: 'POST', body: slowBody(), ...duplex } as RequestInit)
      t.equal(unauthorized.status, 401, 'a slow upload without a token gets 401')
      await unauthorized.body?.cancel()

      const signal = AbortSignal.timeout(50)
      const headers = { authorization, 'content-type': 'multipart/form-data; boundary=x' }
      const timedOut = call(UPLOAD, { method: 'POST', headers, body: slowBody(), signal, ...duplex } as RequestInit)
      await t.rejects(timedOut, { name: 'TimeoutError' }, 'a timeout aborts a request while it is sent')
      const broken = new ReadableStream({ pull: (stream) => stream.error(new Error('broken')) })
      const failing = call(UPLOAD, { method: 'POST', headers, body: broken, ...duplex } as RequestInit)
      await t.rejects(failing, { name: 'TypeError' }, 'a body that fails rejects the call')

      const controller = new AbortController()
      const response = await call('/__admin/events', { signal: controller.signal })
      controller.abort()
      await t.rejects(response.text(), { name: 'AbortError' }, 'a request can be aborted before its answer is read')

      const body = formOf({ file: new File([new Uint8Array(20_000_000)], 'large.png') })
      await call(UPLOAD, { method: 'POST', headers: { authorization }, body })
      t.match(await mock.requests(), [{ status: 422, request: { body: { file: { size: 20_000_000 } } } }], 'it arrives')
    })
})

const NOT_OURS = /is not the admin API of a countersign server/

const wrongServers: Readonly<Record<string, readonly [listener: RequestListener, message: RegExp]>> = {
  'a page': [(_, response) => response.end('<html>'), NOT_OURS],
  'a 404 in JSON': [answering(404, { statusCode: 404, error: 'Not Found' }), NOT_OURS],
  'a redirect': [(_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), NOT_OURS],
  'an invalid version': [answering(200, { status: 'ok', sandbox: null, version: 1 }), NOT_OURS],
  null: [answering(200, null), NOT_OURS],
  'another version': [
    answering(200, { status: 'ok', sandbox: null, version: '7.1.0' }),
    /is countersign 7\.1\.0, but this package is \S+\. Install the same version on both sides/,
  ],
  'an incomplete answer': [
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setTimeout(() => response.destroy(), 20)
    },
    /No server answers at/,
  ],
}

t.test('connect rejects a URL that is not the admin API of a countersign of its version', async (t) => {
  for (const [name, [listener, message]] of Object.entries(wrongServers))
    await t.rejects(connect(`${await stub(t, listener)}/__admin`), { message }, name)
  const unreachable = connect('http://127.0.0.1:9/__admin')
  await t.rejects(unreachable, { message: /No server answers at http:\/\/127\.0\.0\.1:9/ }, 'no server')
  for (const url of ['http://127.0.0.1:4010', '/__admin', 'ftp://host/__admin', 'http://host/~a/b/__admin?x'])
    await t.rejects(connect(url), { name: 'InvalidOption', message: /is not the URL of an admin API/ }, url)
  const misnamed = connect('http://127.0.0.1:9/~a b/__admin')
  await t.rejects(misnamed, { name: 'InvalidOption', message: /sandbox name/ }, 'an invalid sandbox name')
})

t.test('connect needs the admin token, and never shows it', async (t) => {
  await using mock = await startMockServer({ port: 0, adminToken: 'right' })
  t.equal((await connect(mock.adminUrl, { adminToken: 'right' })).url, mock.url, 'the right token is accepted')
  const required = /requires its admin token\. Pass the token that it was started with/
  await t.rejects(connect(mock.adminUrl), { name: 'InvalidOption', message: required }, 'no token')
  await t.rejects(connect(mock.adminUrl, { adminToken: '' }), { message: required }, 'an empty token')
  const wrong = connect(mock.adminUrl, { adminToken: 'wrong' })
  await t.rejects(wrong, { message: /^(?!.*wrong).*does not accept this admin token/s }, 'a wrong token')
  const broken = connect(mock.adminUrl, { adminToken: 'a\nb' })
  await t.rejects(broken, { message: /^(?!.*a\nb).*printable ASCII/s }, 'an invalid token')
  const misspelt = { adminTokn: 'right' } as object
  await t.rejects(connect(mock.adminUrl, misspelt), { message: /Did you mean 'adminToken'/ }, 'a misspelt option')
})

t.test('off loopback, the banner lists the addresses, and connect reports that the admin API is closed', async (t) => {
  const { url, out } = await serve(t, ['--host', '0.0.0.0'])
  for (const { address, family, internal } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    if (family === 'IPv4') t.equal(new RegExp(`on the network +http://${address}:`).test(out()), !internal, address)
  await t.rejects(connect(`${url}/__admin`), { name: 'InvalidOption', message: /The admin API is closed/ })
})

async function openEventStream(t: Test, server: Server, path: string) {
  const url = server.app.server.listening ? `http://127.0.0.1:${portOf(server)}` : await server.listen()
  const controller = new AbortController()
  t.teardown(() => controller.abort())
  const response = await fetch(`${url}${path}`, { signal: controller.signal })
  t.match(response.headers.get('content-type'), 'text/event-stream')
  let text = ''
  let ended = false
  const decoder = new TextDecoder()
  void (async () => {
    for await (const chunk of response.body as never as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true })
    ended = true
  })().catch(() => {})
  await until(() => text !== '')
  const events = (name: string): Readonly<Record<string, unknown>>[] =>
    [...text.matchAll(new RegExp(`event: ${name}\ndata: (.*)\n\n`, 'g'))].map(([, data]) => JSON.parse(data!))
  let read = 0
  const newChanges = () => {
    const all = events('change')
    const kinds = all.slice(read).flatMap(({ what }) => what as string[])
    read = all.length
    return kinds
  }
  return { events, newChanges, ended: () => ended }
}

function portOf({ app }: Server): number {
  return (app.server.address() as { port: number }).port
}

t.test('the event stream sends each exchange when it ends, whole or as a summary', async (t) => {
  const server = await build(t)
  const whole = await openEventStream(t, server, '/__admin/events')
  const summary = await openEventStream(t, server, '/__admin/events?exchanges=summary')
  await send(server, listCreditHistories)
  await send(server, listCreditHistories, { sandbox: 'other' })
  const entry = await until(() => whole.events('exchange')[0])
  t.match(entry, { id: 'x1', request: { query: { page: 1 } }, response: { body: { page: 1 } } })
  const short = await until(() => summary.events('exchange')[0])
  t.match(short, { id: 'x1', outcome: 'listCreditHistories:200', violations: { length: 0 }, request: undefined })
  t.equal(whole.events('exchange').length, 1, 'the exchange of another sandbox is not sent')
  const other = await server.app.inject('/__admin/events?exchanges=all')
  t.match(other.json(), { detail: /one of whole, summary, not 'all'/ })
})

t.test('the event stream sends begin events only with pending=true', async (t) => {
  const server = await build(t)
  const pending = await openEventStream(t, server, '/__admin/events?pending=true&exchanges=summary')
  const plain = await openEventStream(t, server, '/__admin/events')
  await send(server, listCreditHistories)
  t.match(await until(() => pending.events('begin')[0]), { id: 'x1', status: null, received: 0 })
  await until(() => plain.events('exchange')[0])
  t.same(plain.events('begin'), [])
  const late = send(server, listCreditHistories, { headers: { prefer: 'delay=500' } })
  await until(() => pending.events('begin')[1])
  await adminOf(server).call('POST', 'reset')
  await late
  await send(server, listCreditHistories)
  t.match(await until(() => plain.events('exchange')[1]), { id: 'x1' }, 'what began before a reset is not sent')
})

const FORCED = { headers: { prefer: 'code=200' } }
const ORGANIZATION = { id: 7, uuid: '0d5b8f3e-7a61-4c29-9e84-2f1a6c7b3d95', name: 'x' }

t.test('the event stream sends each kind of change that a call makes', async (t) => {
  const server = await build(t)
  const listener = await openEventStream(t, server, '/__admin/events')
  const { call } = adminOf(server)
  const advance = () => call('PUT', 'clock', { advance: 1 })
  const changes: readonly (readonly [string, () => unknown, readonly string[]])[] = [
    ['a switched scenario', () => call('PUT', 'scenarios/gateway:503', { active: true }), ['scenarios']],
    ['a defined scenario', () => call('PUT', 'scenarios/mine', { rules: [] }), ['scenarios']],
    ['a new sandbox', () => adminOf(server, 'new').requests(), ['sandboxes']],
    ['a deleted sandbox', () => call('DELETE', 'sandboxes/new'), ['sandboxes']],
    ['a cleared journal', () => call('DELETE', 'requests'), ['journal']],
    ['a record', () => call('PATCH', 'state', { organizations: [ORGANIZATION] }), ['state']],
    ['a forced outcome, then the clock', () => send(server, addOrganizationMember, FORCED).then(advance), ['clock']],
    ['a reset', () => call('POST', 'reset'), ['clock', 'journal', 'mail', 'scenarios', 'state']],
    ['an invitation', () => send(server, addOrganizationMember), ['mail', 'state']],
    ['deleted mails', () => call('DELETE', 'outbox'), ['mail']],
  ]
  for (const [label, change, kinds] of changes) {
    listener.newChanges()
    await change()
    const seen = new Set<string>()
    await until(() => {
      for (const kind of listener.newChanges()) seen.add(kind)
      return kinds.every((kind) => seen.has(kind))
    })
    t.same([...seen].sort(), kinds, label)
  }
})

t.test('the event stream of a sandbox ends when the sandbox is deleted, and not before', async (t) => {
  const server = await build(t)
  const listener = await openEventStream(t, server, '/~a/__admin/events')
  await adminOf(server, 'a').activate('gateway:503')
  await until(() => listener.newChanges().includes('scenarios'))
  t.equal(listener.ended(), false, 'the stream goes on')
  await adminOf(server).call('DELETE', 'sandboxes/a')
  await until(() => listener.ended())
})
