import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { listCreditHistories, updateSubOrganizationMember, uploadSignature } from '../../schemas/index.js'
import { until } from '../binary.js'
import { lastExchange, requestOf } from '../helper.js'
import { bytes, form, raw } from '../http/forms.js'
import { freePort, inFront, jsonAnswer, provider, rawProvider } from './provider.js'

const histories = requestOf(listCreditHistories)
const upload = requestOf(uploadSignature)
const update = requestOf(updateSubOrganizationMember)
const token = { authorization: 'Bearer token-admin' }
const good = jsonAnswer(sampleBody(listCreditHistories, 200))

const asFetch = ({ url, method, headers, payload }: ReturnType<typeof requestOf>, base: string) =>
  fetch(base + url, { method, headers, body: payload } as RequestInit)

t.test('what cannot be reached is a problem that names it and says what to do', async (t) => {
  const refused = `http://127.0.0.1:${await freePort()}`
  const silent = await rawProvider(t, () => {})
  const cases: [url: string, status: number, code: string, says: RegExp][] = [
    [refused, 502, 'provider-unreachable', /Nothing listens at 'http:\/\/127[^']*': start the provider there/],
    ['http://no-such-host.invalid/x', 502, 'provider-unreachable', /The host 'no-such-host.invalid' .* is unknown/],
    [silent.url.replace('http', 'https'), 504, 'provider-timeout', /accepted no connection within 1 s/],
  ]
  for (const [url, status, code, says] of cases) {
    const { url: own, server } = await inFront(t, url)
    const response = await fetch(own + histories.url, { headers: token })
    const problem = (await response.json()) as { detail: string; provider: string }
    t.equal(response.status, status, url)
    t.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8')
    t.equal(response.headers.get('x-mock-error'), code)
    t.equal(response.headers.get('x-mock-outcome'), null, 'it is no outcome')
    t.match(problem.detail, says)
    t.match(problem.detail, /With --fallback the mock answers in the meantime/)
    t.equal(problem.provider, url)
    t.match(lastExchange(server), { cause: 'provider', status, outcome: null, answeredBy: '' })
    t.same(server.worlds.root.journal.outcomes, {}, 'nothing is covered')
  }
})

t.test('with --fallback, the world answers meanwhile, as it would without a provider', async (t) => {
  const port = await freePort()
  const { url, server } = await inFront(t, `http://127.0.0.1:${port}`, { fallback: true })
  const good = await asFetch(upload, url)
  t.equal(good.status, 200, 'a body is there as a whole')
  t.match(lastExchange(server), { cause: 'fallback', outcome: 'uploadSignature:200', violations: [] })
  t.equal((await fetch(url + histories.url)).status, 401, 'authentication asks')
  t.equal(
    (await asFetch(requestOf(uploadSignature, { form: { file: 'text' } }), url)).status,
    422,
    'and so does validation',
  )
  t.match(lastExchange(server), { cause: 'fallback', violations: [{}, { code: 'not-an-image' }] })
  const later = await provider(t, (request, response) => {
    request.resume()
    response.writeHead(503).end('down')
  })
  server.worlds.use({ ...server.worlds.shared, settings: { ...server.worlds.root.settings, provider: later.url } })
  const busy = await asFetch(upload, url)
  t.equal(await busy.text(), 'down', 'an answer is an answer, whatever its status')
  t.match(lastExchange(server), { cause: 'provider', outcome: 'gateway:503', deviations: [] })
})

t.test('a provider that gives no answer is a problem', async (t) => {
  const long = `X-Long: ${'x'.repeat(80_000)}`
  const cases: Record<string, [speak: Parameters<typeof rawProvider>[1], status: number, says: RegExp]> = {
    'says nothing': [() => {}, 504, /accepted the request but did not answer within 1 s/],
    'ends the connection': [
      (socket) => void socket.end(),
      502,
      /\. Check its log, or begin --provider with https:\/\/ if it uses TLS\. /,
    ],
    'resets the connection': [(socket) => void socket.resetAndDestroy(), 502, /closed the connection before/],
    'ends within the head': [
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nX-A: 1'),
      502,
      /closed the connection|not valid/,
    ],
    'speaks no HTTP': [
      (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
      502,
      /is not valid HTTP \(Response does not match/,
    ],
    'has too long a head': [jsonAnswer({}, [long]), 502, /The head of the answer from .* is too long to read/],
    'changes the protocol': [
      'HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      502,
      /answered with 101 and changed the protocol, which was not requested\. Check its log/,
    ],
    'speaks TLS, and says so': [
      (socket) => void socket.end(Buffer.from('15030100020246', 'hex')),
      502,
      /uses TLS\. Begin --provider with https:\/\/\.$/,
    ],
  }
  for (const [what, [speak, status, says]] of Object.entries(cases)) {
    const { url } = await rawProvider(t, speak)
    const { url: own, server } = await inFront(t, url, { fallback: true })
    const response = await asFetch(upload, own)
    t.equal(response.status, status, what)
    t.match(((await response.json()) as { detail: string }).detail, says, what)
    t.match(
      lastExchange(server),
      { cause: 'provider', status, outcome: null },
      `${what}: no fallback, since it was called`,
    )
  }
  const { url } = await rawProvider(t, jsonAnswer({}, [`X-Long: ${'x'.repeat(40_000)}`]))
  const { url: own } = await inFront(t, url)
  const { status, text } = await new Promise<{ status?: number; text: number }>((resolve) => {
    const sent = httpRequest(own + histories.url, { headers: token, maxHeaderSize: 100_000 }, (response) => {
      resolve({ status: response.statusCode ?? 0, text: String(response.headers['x-long']).length })
      response.resume()
    })
    sent.end()
  })
  t.same({ status, text }, { status: 200, text: 40_000 }, 'a long head is passed on')
})

t.test('an answer that breaks off breaks the client’s connection, and is no outcome', async (t) => {
  const cut: Record<string, string> = {
    'with a length': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"page"',
    'in chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"page"\r\n',
    'in broken chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"page"\r\nzz\r\n',
  }
  for (const [what, answer] of Object.entries(cut)) {
    for (const stalls of [false, true]) {
      {
        const { url } = await rawProvider(t, (socket) => {
          socket.write(answer)
          if (!stalls) setTimeout(() => socket.destroy(), 30)
        })
        const { port, server } = await inFront(t, url)
        const name = `${what}, ${stalls ? 'stalled' : 'ended'}`
        const socket = connect(port, '127.0.0.1')
        let got = ''
        socket.on('data', (chunk) => (got += chunk))
        socket.on('error', () => {})
        socket.write(`GET ${histories.url} HTTP/1.1\r\nHost: x\r\n\r\n`)
        await new Promise((closed) => socket.once('close', closed))
        t.match(got, /\r\n\r\n(7\r\n)?\{"page"/, `${name}: what came is passed on`)
        t.notMatch(got, /\r\n0\r\n/, `${name}: there is no last chunk`)
        const exchange = lastExchange(server)
        t.match(exchange, { cause: 'provider', status: null, why: /broke off its answer after 7 bytes/ }, name)
        t.same(server.worlds.root.journal.outcomes, {}, `${name}: nothing is covered`)
      }
    }
  }
})

t.test('a connection that the provider has closed meanwhile costs no answer', async (t) => {
  const closing = await rawProvider(t, (socket) => {
    socket.write(good)
    socket.end()
  })
  const first = await inFront(t, closing.url)
  for (let nth = 0; nth < 20; nth++) {
    const response = await asFetch(nth % 2 === 0 ? upload : histories, first.url)
    t.equal(response.status, 200, `request ${nth}, though each answer ends the connection`)
    await response.text()
  }
  // Each connection takes one request, and dies of the second.
  const counts = new Map<unknown, number>()
  const dying = await rawProvider(t, (socket) => {
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    if (count === 1) socket.write(good)
    else socket.resetAndDestroy()
  })
  const second = await inFront(t, dying.url)
  t.equal((await asFetch(histories, second.url)).status, 200)
  t.equal((await asFetch(histories, second.url)).status, 200, 'a GET is sent again')
  t.equal((await asFetch(update, second.url)).status, 200, 'a PUT is sent again, with its body')
  t.equal((await asFetch(upload, second.url)).status, 502, 'a POST is not: it may have taken effect')
  t.ok(dying.requests.at(-2)?.includes('name="first_name"'), 'the body of the PUT is whole')
})

t.test('a client that leaves ends the provider’s request', async (t) => {
  const gone: string[] = []
  const { url } = await provider(t, (request, response) => {
    const name = String(request.headers['x-name'])
    request.on('error', () => {})
    response.on('close', () => gone.push(name))
    request.resume()
    if (name === 'endless') {
      const more = setInterval(() => response.write('x'.repeat(1_000)), 5)
      response.on('close', () => clearInterval(more))
    }
  })
  const { port, server } = await inFront(t, url)
  const heads: Record<string, string> = {
    uploading: 'POST /client/signature HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nX-Name: uploading\r\n\r\nabc',
    waiting: `GET ${histories.url} HTTP/1.1\r\nHost: x\r\nX-Name: waiting\r\n\r\n`,
    endless: `GET ${histories.url} HTTP/1.1\r\nHost: x\r\nX-Name: endless\r\n\r\n`,
  }
  const whys: Record<string, RegExp> = {
    uploading: /^the connection ended before the body was whole$/,
    waiting: /^the connection ended before the answer$/,
    endless: /^the connection ended before all of the answer$/,
  }
  for (const [name, text] of Object.entries(heads)) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(text)
    if (name === 'endless') await once(socket, 'data')
    else await new Promise((later) => setTimeout(later, 100))
    socket.resetAndDestroy()
    await until(() => gone.includes(name))
    t.pass(`${name}: the provider knows`)
    await until(() => lastExchange(server).duration !== null)
    t.match(lastExchange(server), { status: null, outcome: null, why: whys[name] }, name)
  }
  t.same(server.worlds.root.journal.outcomes, {}, 'nothing is covered')
})

t.test('a body that the client cuts off is answered as ever, and the provider’s request ends', async (t) => {
  let aborted = false
  const { url } = await provider(t, (request, response) => {
    request.on('error', () => {
      aborted = true
    })
    request.resume()
    if (request.method === 'GET') response.end('{}')
  })
  const { exchange, server, url: own } = await inFront(t, url)
  // Who asks first waits until what forwards is loaded, and would be gone before.
  await asFetch(histories, own)
  const [head, body] = raw(form)
  const answer = await exchange([head, body.subarray(0, 500)], { end: true })
  t.equal(answer.status, 422)
  t.match(lastExchange(server), { violations: [{ code: 'cut-off-body' }] })
  await until(() => aborted)
})

t.test('an answer that comes before the body is read reaches the client', async (t) => {
  const { url } = await provider(t, (request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"code":401,"message":"no"}}')
    request.resume()
  })
  const { url: own, server } = await inFront(t, url)
  const body = Buffer.alloc(20 * 1024 * 1024, 'x')
  const response = await fetch(`${own}/client/signature`, { method: 'POST', body })
  t.equal(response.status, 401, 'the answer is the provider’s')
  t.equal(await response.text(), '{"error":{"code":401,"message":"no"}}')
  t.match(lastExchange(server).why, /body was not checked: the answer came before all of the body/)
  t.equal((await asFetch(histories, own)).status, 401, 'the next request is answered')
})

t.test('a redirect is passed on, and the token goes nowhere else', async (t) => {
  const elsewhere = await rawProvider(t, good)
  const { url } = await rawProvider(
    t,
    `HTTP/1.1 302 Found\r\nLocation: ${elsewhere.url}/x\r\nContent-Length: 0\r\n\r\n`,
  )
  const { url: own, server } = await inFront(t, url, { providerToken: 'real-token-123' })
  const response = await fetch(own + histories.url, { headers: token, redirect: 'manual' })
  t.equal(response.status, 302)
  t.equal(response.headers.get('location'), `${elsewhere.url}/x`)
  t.equal(elsewhere.requests.length, 0, 'nobody is called there')
  t.match(lastExchange(server), { outcome: 'listCreditHistories:302', deviations: [{ code: 'undeclared-status' }] })
  t.ok(bytes(form).length > 0)
})
