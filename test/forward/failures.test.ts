import { EventEmitter, once } from 'node:events'
import { createServer, get as httpGet } from 'node:http'
import type { Socket } from 'node:net'
import t from 'tap'
import { updateSubOrganizationMember, uploadSignature } from '../../schemas/index.js'
import { ProviderClient } from '../../src/tools/http/client.js'
import { adminOf, fetchUrl, lastExchange, requestOf } from '../helper.js'
import { head } from '../wire.js'
import {
  ask,
  forwarding,
  freePort,
  goodHistories,
  histories,
  inFront,
  jsonAnswer,
  listen,
  provider,
  rawProvider,
} from './provider.js'

const upload = requestOf(uploadSignature)

t.test('an unreachable provider is a problem with its URL and a remedy', async (t) => {
  const silent = await rawProvider(t, () => {})
  const cases: [provider: string, status: number, error: string, message: RegExp][] = [
    ['http://no-such-host.invalid/x', 502, 'provider-unreachable', /The host 'no-such-host.invalid' .* is unknown/],
    [silent.url.replace('http', 'https'), 504, 'provider-timeout', /accepted no connection within 1 s/],
  ]
  for (const [provider, status, error, message] of cases) {
    const { url, server } = await inFront(t, provider)
    const answer = await ask(histories, url)
    const headers = { 'content-type': 'application/problem+json; charset=utf-8' }
    t.match(answer, { status, headers, error, outcome: undefined, body: { provider, detail: message } }, provider)
    t.match(await lastExchange(server), { cause: 'provider', status, outcome: null }, provider)
    t.equal((await adminOf(server).coverage()).covered, 0, `${provider}: nothing is covered`)
  }
})

t.test('with --fallback, the mock answers in the provider’s place', async (t) => {
  const port = await freePort()
  const { url, server } = await inFront(t, `http://127.0.0.1:${port}`, { fallback: true })
  t.match(await ask(upload, url), { status: 200 }, 'the mock gets the whole body')
  t.match(await lastExchange(server), { cause: 'fallback', outcome: 'uploadSignature:200' })
  t.same((await lastExchange(server)).violations, [])
  t.match(await fetchUrl(url + histories.url), { status: 401 }, 'a token is required')
  const unknown = await fetch(url + histories.url, { headers: { authorization: 'Bearer known-to-the-provider' } })
  t.equal(unknown.status, 200, 'a token that the provider may know is accepted')
  t.equal(unknown.headers.get('x-mock-cause'), 'fallback', 'a header marks the answer of the mock')
  t.match(await ask(requestOf(uploadSignature, { form: { file: 'text' } }), url), { status: 422 }, 'an invalid form')
  t.match(await lastExchange(server), { cause: 'fallback', violations: [{ code: 'nameless-file' }] })
  const started = createServer((request, response) => {
    request.resume()
    response.writeHead(503).end('down')
  })
  await listen(t, started, port)
  t.match(await ask(upload, url), { body: /^down$/ }, 'the provider’s answer is forwarded, even a 503')
  t.match(await lastExchange(server), { cause: 'provider', outcome: 'gateway:503' })
  t.same((await lastExchange(server)).deviations, [])
})

t.test('a missing or invalid answer of the provider is a problem', async (t) => {
  const long = (length: number) => jsonAnswer({}, [`X-Long: ${'x'.repeat(length)}`])
  const endWith = (text: string | Buffer) => (socket: Socket) => void socket.end(text)
  const cases: Record<string, [answer: Parameters<typeof rawProvider>[1], message: RegExp, status?: number]> = {
    'does not answer': [() => {}, /accepted the request but did not answer within 1 s/, 504],
    closes: [endWith(''), /\. Check the provider's log, or begin --provider with https:\/\/ if it uses TLS\. /],
    'resets the connection': [(socket) => void socket.resetAndDestroy(), /closed the connection before/],
    'ends within the head': [endWith('HTTP/1.1 200 OK\r\nX-A: 1'), /closed the connection|not valid/],
    'does not use HTTP': [endWith('SSH-2.0-OpenSSH_9.2\r\n'), /is not valid HTTP \(Response does not match/],
    'sends too long a head': [long(80_000), /The head of the answer from .* is too long to read/],
    'changes the protocol': [head('HTTP/1.1 101 Go', 'Connection: Upgrade', 'Upgrade: x'), /\(bad upgrade\)/],
    'sends a status above 599': [jsonAnswer({}, [], '600 Odd'), /is not valid HTTP \(the status is 600\)/],
    'uses TLS': [endWith(Buffer.from('15030100020246', 'hex')), /uses TLS\. Begin --provider with https:\/\/\.$/],
  }
  for (const [fault, [answer, detail, status = 502]] of Object.entries(cases)) {
    const { url: mock, server } = await forwarding(t, answer, { fallback: true })
    t.match(await ask(upload, mock), { status, body: { detail } }, fault)
    t.match(await lastExchange(server), { cause: 'provider', status, outcome: null }, `${fault}: no fallback`)
  }
  const { url: mock } = await forwarding(t, long(40_000))
  const [{ statusCode, headers }] = await once(httpGet(mock + histories.url, { maxHeaderSize: 100_000 }), 'response')
  t.same([statusCode, headers['x-long'].length], [200, 40_000], 'a long head is forwarded')
})

t.test('a call whose connection closes is repeated once, unless it might take effect twice', async (t) => {
  for (const [request, status, times] of [
    [histories, 200, 2],
    [requestOf(updateSubOrganizationMember), 200, 2],
    [upload, 502, 1],
  ] as const) {
    const closesFirst = (socket: Socket, nth: number) => (nth === 0 ? socket.end() : socket.write(jsonAnswer({})))
    const { url, requests } = await forwarding(t, closesFirst)
    t.match(await ask(request, url), { status }, `${request.method}`)
    t.equal(requests.length, times, `${request.method}: sent ${times} times`)
  }
})

t.test('a redirect is forwarded, and its target never gets the token', async (t) => {
  const target = await rawProvider(t, goodHistories)
  const location = `${target.url}/x`
  const redirect = head('HTTP/1.1 302 Found', `Location: ${location}`, 'Content-Length: 0')
  const { url, server } = await forwarding(t, redirect, { providerToken: 'real-token-123' })
  const { headers } = histories as { headers: Record<string, string> }
  const answer = await fetchUrl(url + histories.url, { headers, redirect: 'manual' })
  t.match(answer, { status: 302, headers: { location } }, 'the redirect is forwarded')
  t.same(target.requests, [], 'its target is not called')
  t.match(await lastExchange(server), { deviations: [{ code: 'undeclared-status' }] })
  const unchanged = await forwarding(t, head('HTTP/1.1 304 Not Modified', 'ETag: "1"'))
  await fetchUrl(unchanged.url + histories.url, { headers: { ...headers, 'if-none-match': '"1"' } })
  t.match(await lastExchange(unchanged.server), { status: 304, deviations: [] }, 'a 304 is no deviation')
})

t.test('a status that the API document leaves open deviates only from an interpretation', async (t) => {
  const { url, server } = await forwarding(t, jsonAnswer({}, [], '422 Unprocessable Content'))
  const { url: path = '' } = requestOf(updateSubOrganizationMember)
  for (const [sent, basis] of [
    [path, 'documented'],
    [path.replace(/\?.*/, ''), 'interpretation'],
  ] as const) {
    await fetchUrl(url + sent, { method: 'PUT' })
    t.match(await lastExchange(server), { deviations: [{ code: 'undeclared-status', basis }] }, sent)
  }
})

t.test('an answer that is nested too deeply to be shown is forwarded', async (t) => {
  const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`
  const fields = head('HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${deep.length}`)
  const { url, server } = await forwarding(t, fields + deep)
  t.equal((await ask(histories, url)).status, 200)
  t.match(await lastExchange(server), { cause: 'provider', deviations: [{ basis: 'documented' }] })
})

t.test('an endless answer is cut off, and answered with 502', async (t) => {
  const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`
  const { server, url } = await forwarding(
    t,
    (socket) => {
      socket.write(head('HTTP/1.1 200 OK', 'Content-Type: application/json', 'Transfer-Encoding: chunked'))
      const more = () => {
        while (socket.writable && socket.write(piece));
      }
      socket.on('drain', more)
      more()
    },
    { bodyLimit: 1_000_000 },
  )
  const { status, error, body } = await ask(histories, url)
  t.match([status, error, body.detail], [502, 'provider-unreachable', /has no end, or is far too long/])
  t.equal((await lastExchange(server)).cause, 'provider')
})

t.test('a call that returns to the server that forwarded it gets 508', async (t) => {
  const ports = [await freePort(), await freePort()]
  const [url] = await Promise.all(
    ports.map(async (port, at) => (await inFront(t, `http://127.0.0.1:${ports[1 - at]}`, { port })).url),
  )
  const { status, body } = await ask(histories, url as string)
  t.match([status, body.code, body.detail], [508, 'provider-loop', /Set it to the URL of the real service/])
})

t.test('the admin token and cookie do not reach the provider', async (t) => {
  const adminToken = 'of-the-admin'
  const { requests, server, url } = await forwarding(t, goodHistories, { adminToken })
  const login = { method: 'POST', url: '/__admin/', payload: { token: adminToken } } as const
  const [cookie = ''] = String((await server.app.inject(login)).headers['set-cookie']).split(';')
  await ask(histories, url, { cookie: `a=1; ${cookie}; b=2`, 'x-other': `Bearer ${adminToken}` })
  const sent = String(requests.at(-1))
  t.match(sent, /^cookie: a=1; b=2\r$/im, 'other cookies are forwarded')
  t.notMatch(sent, cookie)
  t.notMatch(sent, adminToken)
})

t.test('a client that hangs up cancels its call to the provider', async (t) => {
  const calls = new EventEmitter()
  const { url: target } = await provider(t, (_, response) => {
    response.once('close', () => calls.emit('cancelled'))
    calls.emit('received')
  })
  const { url, server } = await inFront(t, target, {}, { timeouts: { connect: 1_000, idle: 600_000 } })
  const client = new AbortController()
  const [received, cancelled] = [once(calls, 'received'), once(calls, 'cancelled')]
  const call = fetch(url + histories.url, { signal: client.signal }).catch(() => 'hung up')
  await received
  client.abort()
  t.equal(await call, 'hung up')
  await cancelled
  t.match(await lastExchange(server), { cause: 'provider', status: null, outcome: null })
})

t.test('an answer that does not end in time is aborted', async (t) => {
  const { url } = await provider(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const dripping = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(dripping))
  })
  const client = new ProviderClient({ connect: 1_000, idle: 100 }, 1_000_000)
  t.teardown(() => client.close())
  const endless = { message: /did not end its answer in time/, hasTimedOut: true }
  t.match(await client.send(url, { method: 'GET', path: '/', headers: [] }), endless)
})
