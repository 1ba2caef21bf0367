import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { adminOf } from '../helper.js'
import { HISTORIES } from '../paths.js'
import { head, listeningServer, untilClosed } from '../wire.js'

const PATH = HISTORIES.split('?')[0] as string
const TLS_HELLO = Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]), Buffer.alloc(512, 1)])

type UnreadableRequest = readonly [sent: string | Buffer, method: string | null, url: string | null, fix: RegExp]

const request = (line: string, ...fields: readonly string[]) => head(`${line} HTTP/1.1`, 'Host: x', ...fields)
const get = (...fields: readonly string[]) => request(`GET ${PATH}`, ...fields)
const LONG = `Cookie: ${'a'.repeat(20_000)}`
const LENGTHS = ['Content-Length: 3', 'Transfer-Encoding: chunked']

const unreadableRequests: Readonly<Record<string, UnreadableRequest>> = {
  'a method in lower case': [request(`patch ${PATH}?token=s3cr3t`), 'patch', PATH, /capitals: PATCH/],
  'a method in mixed case': [request('Get /~w-1/x'), 'Get', '/~w-1/x', /capitals: GET/],
  'https to the http port': [TLS_HELLO, null, null, /http:\/\//],
  'non-ASCII letters in the URL': [request(`GET ${PATH}?a=Zoë`), 'GET', PATH, /encodeURIComponent/],
  'a blank in the URL': [request(`GET ${PATH}?a=b c`), 'GET', PATH, /encodeURIComponent/],
  'a control character in a token': [get('X-Token: s3cr3t\u0001'), 'GET', PATH, /Remove that/],
  'a line end in a token': [get('X-Token: s3cr3t\nb'), 'GET', PATH, /Remove that/],
  'a long head': [get(LONG), 'GET', PATH, /fewer or shorter/],
  'no request line': ['hello\r\n\r\n', null, null, /such as curl/],
  'a header without a name': [get(': x'), 'GET', PATH, /Remove that/],
  'a length that is not a number': [request(`POST ${PATH}`, 'Content-Length: many'), 'POST', PATH, /one of them/],
  'an unknown method': [request(`FOO ${PATH}`), 'FOO', PATH, /Use GET/],
  'a path without a slash': [request('GET api/v2'), null, null, /with a slash/],
  'an unknown HTTP version': [head(`GET ${PATH} HTTP/3.0`, 'Host: x'), 'GET', PATH, /Use HTTP\/1\.1/],
  'a length, and chunks': [request(`POST ${PATH}`, ...LENGTHS), 'POST', PATH, /one of them/],
}

const VALID = head('GET /nowhere HTTP/1.1', 'Host: x', 'Connection: close')

t.test('a request that the HTTP parser rejects is a violation in its sandbox', async (t) => {
  for (const [name, [sent, method, url, fix]] of Object.entries(unreadableRequests)) {
    const { server, port } = await listeningServer(t)
    const { text } = await untilClosed(port, sent)
    t.match(text, /^HTTP\/1\.1 4\d\d [\s\S]*problem\+json/, `${name}: the answer is a problem`)
    t.match(text, /^access-control-allow-origin: \*\r\n[\s\S]*^connection: close\r$/m, `${name}: pages can read it`)
    t.match(await untilClosed(port, VALID), { text: /^HTTP\/1\.1 404/ }, `${name}: the next request is answered`)
    const entry = (await adminOf(server, url?.startsWith('/~w-1') ? 'w-1' : undefined).requests()).at(-1)
    const violations = [{ code: 'unreadable-request', basis: 'suspicious', fix, expected: false }]
    t.match(entry, { method, url, operation: null, violations }, `${name}: the journal has the request`)
    t.notMatch(JSON.stringify(entry), 's3cr3t', `${name}: the journal has no secret`)
    t.match(text, fix, `${name}: the answer has the same fix`)
  }
})

t.test('a request head that does not arrive in time is one exchange', async (t) => {
  const { server, port } = await listeningServer(t)
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x`)
  t.match(await text(socket), /^HTTP\/1\.1 408 /)
  t.match(await adminOf(server).requests(), { length: 1 })
})

t.test('a cut-off request head is a violation', async (t) => {
  const { server, port } = await listeningServer(t)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end(`GET ${PATH} HTTP/1.1\r\nHost: x`)
  t.match(await text(socket), /^HTTP\/1\.1 400 [\s\S]*within the request head/)
  t.match(await adminOf(server).requests(), [{ operation: null, violations: [{ code: 'unreadable-request' }] }])
})

t.test('unreadable bytes after a request add no 400 to its answer', async (t) => {
  const { server, port } = await listeningServer(t)
  const rules = [{ on: '*', answer: { status: 503, dribble: { chunks: 9, duration: 5_000 } } }]
  await adminOf(server).call('PUT', 'scenarios/slow', { rules, active: true })
  for (const path of [PATH, '/__admin/events']) {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    socket.write(head(`GET ${path} HTTP/1.1`, 'Host: localhost'))
    const [start] = await once(socket, 'data')
    socket.write('get / http/1.1\r\n\r\n')
    const rest = await text(socket).catch(() => '')
    t.match(start, /^HTTP\/1\.1 (?:503|200) /, path)
    t.notMatch(start + rest, 'HTTP/1.1 400', path)
  }
})

t.test('bytes after a request are reported with a fix, and not kept', async (t) => {
  for (const fields of [['Content-Length: 3'], []]) {
    const { server, port } = await listeningServer(t)
    await untilClosed(port, `${head(`POST ${PATH} HTTP/1.1`, 'Host: x', ...fields)}abcdéf`)
    const journal = JSON.stringify(await adminOf(server).requests())
    t.match(journal, 'Send its length in bytes')
    t.notMatch(journal, 'déf', 'the bytes are not kept')
  }
})

t.test('requests that browsers send on their own do not count as unmatched', async (t) => {
  const { server, url } = await listeningServer(t)
  const paths = [
    '/.well-known/appspecific/x.json',
    '/apple-touch-icon-120x120.png',
    '/robots.txt',
    '/manifest.json',
    '/sw.js',
    '/app.js.map',
  ]
  for (const path of paths) t.equal((await fetch(url + path)).status, 404, path)
  await fetch(`${url}/api/v2/unknown.map`)
  const unmatched = await adminOf(server)
    .call('GET', 'requests?unmatched=true')
    .then((answer) => answer.json())
  t.same(
    unmatched.requests.map(({ url }: { url: string }) => url),
    ['/api/v2/unknown.map'],
    'only the path below the API is unmatched',
  )
})

t.test('a request without an operation is reported for its path or method, not its content type', async (t) => {
  const types: readonly [request: string, type: string | undefined, code: string][] = [
    ['POST /nope', 'undefined', 'no-such-route'],
    ['PUT /api/v2/organization/members/add', 'null', 'method-not-allowed'],
    ['DELETE /nope', ';;', 'no-such-route'],
    [`QUERY ${PATH}`, undefined, 'method-not-allowed'],
  ]
  for (const [request, type, code] of types) {
    const { server, port } = await listeningServer(t)
    const fields = ['Host: x', 'Connection: close', 'Content-Length: 2', ...(type ? [`Content-Type: ${type}`] : [])]
    await untilClosed(port, `${head(`${request} HTTP/1.1`, ...fields)}{}`)
    t.match(await adminOf(server).requests(), [{ operation: null, violations: [{ code }] }], `${request}, ${type}`)
  }
})

t.test('OPTIONS without a preflight, and CONNECT, are in the journal like other requests', async (t) => {
  for (const [request, url, code] of [
    [`OPTIONS ${PATH}`, PATH, 'method-not-allowed'],
    ['OPTIONS /nope', '/nope', 'no-such-route'],
    ['OPTIONS *', '*', 'no-such-route'],
    ['CONNECT api.example.test:443', 'api.example.test:443', 'no-such-route'],
  ] as const) {
    const { server, port } = await listeningServer(t)
    const { text } = await untilClosed(port, head(`${request} HTTP/1.1`, 'Host: x', 'Connection: close'))
    t.match(text, /^HTTP\/1\.1 40[45] [\s\S]*problem\+json/, request)
    t.match(await adminOf(server).requests(), [{ url, violations: [{ code }] }], request)
    const copy = async (format: string) => (await server.app.inject(`/__admin/requests/x1?format=${format}`)).payload
    t.match(await copy('curl'), url.startsWith('/') ? `${url}'` : `--request-target '${url}'`, `${request}: curl`)
    t.match(await copy('test'), url.startsWith('/') ? 'await fetch(' : 'copy it as curl', `${request}: a test`)
  }
})

t.test('a request with an unknown Expect header is treated like any other', async (t) => {
  const { server, port } = await listeningServer(t)
  const fields = ['Host: x', 'Connection: close', 'Expect: foo', 'Content-Length: 0']
  t.match((await untilClosed(port, head('POST /nope HTTP/1.1', ...fields))).text, /^HTTP\/1\.1 404/)
  t.match(await adminOf(server).requests(), [{ violations: [{ code: 'no-such-route' }] }])
})

t.test('a request with an unreadable method cannot be copied', async (t) => {
  const { server, port } = await listeningServer(t)
  await untilClosed(port, TLS_HELLO)
  const [entry] = await adminOf(server).requests()
  for (const format of ['curl', 'fetch', 'test']) {
    const { statusCode, payload } = await server.app.inject(`/__admin/requests/${entry?.id}?format=${format}`)
    t.match([statusCode, payload], [409, /cannot be sent again/], format)
  }
  t.equal((await server.app.inject('/__admin/requests?format=curl')).payload, '')
})

t.test('a request with an unreadable body is one exchange', async (t) => {
  const { server, port } = await listeningServer(t)
  const fields = ['Host: x', 'Authorization: Bearer token-admin', 'Transfer-Encoding: chunked']
  const { text } = await untilClosed(port, `${head('POST /client/signature HTTP/1.1', ...fields)}ZZ\r\n`)
  t.match(text, /^HTTP\/1\.1 400 /)
  const exchanges = await adminOf(server).requests()
  t.equal(exchanges.length, 1)
  t.match(exchanges, [{ operation: 'uploadSignature', status: 400, violations: [{ code: 'unreadable-request' }] }])
})
