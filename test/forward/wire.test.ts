import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { listCreditHistories } from '../../schemas/index.js'
import { sampleBody } from '../../src/engine/contract/envelopes.js'
import { fits } from '../fits.js'
import { lastExchange } from '../helper.js'
import { head, untilClosed } from '../wire.js'
import { forwarding, goodHistories, histories, inFront, jsonAnswer, provider, rawProvider } from './provider.js'

t.test('a request reaches the provider unchanged, except for headers that are for the mock', async (t) => {
  const { url, requests } = await rawProvider(t, goodHistories)
  const { port } = await inFront(t, `${url}/base/`)
  const path = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=%31c9e&q=a+b%20c&&empty=&__code2=1'
  const sent = [
    'X-First: 1',
    'HOST: mock.test:1234',
    'X-Twice: a',
    'auTHORization: Bearer  of-theirs ',
    'X-twice:  b',
    'Connection: close, X-Hop',
    'X-Hop: gone',
    'TE: trailers',
    'Proxy-Authorization: Basic eDp5',
    'Upgrade: h2c',
    'Prefer: delay=0, respond-async, expect=200, return="a,b"',
    'X-Mock-Exchange: x1',
    'Cookie: a=1; b=2',
    'X-Latin: \u00e5',
    'X-Empty:',
  ]
  await untilClosed(port, head(`GET /~w-1${path}&__delay=0&__expect=200 HTTP/1.1`, ...sent))
  const [line, ...fields] = (requests[0]?.toString('latin1') ?? '').trimEnd().split('\r\n')
  t.equal(line, `GET /base${path} HTTP/1.1`, 'path and query are unchanged')
  const received = fields.map((one) => one.replace(/^[^:]+/, (name) => name.toLowerCase()))
  const expected = [
    'authorization: Bearer  of-theirs',
    'connection: keep-alive',
    'cookie: a=1; b=2',
    `host: ${new URL(url).host}`,
    'prefer: respond-async, return="a,b"',
    'x-empty:',
    'x-first: 1',
    'x-latin: \u00c3\u00a5',
    'x-twice: a',
    'x-twice: b',
  ]
  const [via, ...others] = received.sort().toSorted((one) => (one.startsWith('via: ') ? -1 : 0))
  t.match(via, /^via: 1\.1 countersign-\S+$/, 'the mock adds Via, as a proxy does')
  t.same(others, expected, 'other headers are unchanged, repeated ones included')
})

t.test('an answer keeps status, body and end-to-end headers, and the mock adds its own headers', async (t) => {
  const body = '{"a":  1,\n "a": 2}'
  const theirs = [
    'X-B: 1',
    'content-TYPE: Application/JSON',
    'Set-Cookie: a=1; Path=/',
    'x-b: 2',
    'Set-Cookie: b=2',
    'Connection: X-Secret, keep-alive',
    'Connection: close,\tX-Tabbed',
    'X-Secret: gone',
    'X-Tabbed: gone',
    'Keep-Alive: timeout=60',
    'Proxy-Authenticate: Basic',
    'X-Mock-Outcome: theirs',
    'X-Mock-Exchange: theirs',
    'Location: http://elsewhere.test/',
    'Content-Disposition: inline; filename="\u0142"',
    `Content-Length: ${body.length}`,
    'X-Latin: \u00e5',
  ]
  const { port } = await forwarding(t, head('HTTP/1.1 299 Quite so', ...theirs) + body)
  const request = head(`GET ${histories.url}&__expect=200 HTTP/1.1`, 'Host: x', 'Connection: close')
  const { text } = await untilClosed(port, request)
  const [fields = '', ...rest] = text.split('\r\n\r\n')
  t.equal(rest.join('\r\n\r\n'), body, 'the body is the same, byte for byte')
  const [line, ...sent] = fields.split('\r\n').filter((one) => !/^(?:date|vary): /i.test(one))
  t.match(line, /^HTTP\/1\.1 299 /, 'the status is the same')
  const expected = [
    'connection: close',
    `content-length: ${body.length}`,
    'content-type: Application/JSON',
    'location: http://elsewhere.test/',
    'preference-applied: expect=200',
    'set-cookie: a=1; Path=/',
    'set-cookie: b=2',
    'x-b: 1',
    'x-b: 2',
    'x-latin: \u00c3\u00a5',
    'x-mock-exchange: x1',
    'x-mock-outcome: listCreditHistories:299',
  ]
  const reported = sent.map((one) => one.replace(/^[^:]+/, (name) => name.toLowerCase()))
  t.same(reported.sort(), expected, 'all headers but those of the connection are the same')
})

t.test('even a GET request is forwarded with its body, with or without a content type', async (t) => {
  const { url, requests } = await rawProvider(t, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  const { port } = await inFront(t, url)
  for (const fields of [['Content-Type: application/json', 'Content-Length: 7'], ['Content-Length: 7']]) {
    const request = head(`GET ${histories.url} HTTP/1.1`, 'Host: x', ...fields, 'Connection: close')
    const { text } = await untilClosed(port, `${request}{"a":1}`)
    t.match(text, /\r\n\r\n\{\}$/, 'the answer arrives')
    t.notMatch(text, /content-type/i, 'it gets no content type')
    const forwarded = String(requests.pop())
    t.match(forwarded, /content-length: 7\r\n[\s\S]*\r\n\{"a":1\}$/i, 'the provider gets the body')
    t.equal(/content-type/i.test(forwarded), fields.length > 1, 'and its content type')
  }
})

t.test('a page may read the headers that the service exposes and that the mock adds', async (t) => {
  const { url } = await forwarding(
    t,
    jsonAnswer({}, ['Access-Control-Expose-Headers: X-Total', 'Vary: Accept-Encoding']),
  )
  const answer = await fetch(url + histories.url, { headers: { origin: 'http://app.test' } })
  t.match(answer.headers.get('access-control-expose-headers'), /^X-Mock-Outcome, .*, X-Total$/)
  t.equal(answer.headers.get('vary'), 'Origin, Accept-Encoding')
})

t.test('an HTML answer of the service cannot act as a page of this origin', async (t) => {
  const fields = ['Strict-Transport-Security: max-age=1', 'Clear-Site-Data: "*"', 'X-Mock-Sandbox: a']
  const page = ['HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Length: 2', ...fields, '', '<p'].join('\r\n')
  const { url } = await rawProvider(t, page)
  const { port } = await inFront(t, url)
  const { headers } = await fetch(`http://127.0.0.1:${port}${histories.url}`)
  t.equal(headers.get('content-security-policy'), 'sandbox')
  for (const name of ['strict-transport-security', 'clear-site-data', 'x-mock-sandbox'])
    t.notOk(headers.has(name), name)
})

t.test('an encoded body is forwarded encoded, and checked decoded', async (t) => {
  const text = JSON.stringify(sampleBody(listCreditHistories, 200))
  const codings: Record<string, (text: string) => Uint8Array> = {
    gzip: gzipSync,
    deflate: deflateSync,
    Deflate: deflateRawSync,
    br: brotliCompressSync,
    identity: (text) => Buffer.from(text),
  }
  let coding = 'gzip'
  let content = text
  const { url } = await provider(t, (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
    response.end(codings[coding]?.(content))
  })
  const { url: mock, server } = await inFront(t, url)
  for (coding of Object.keys(codings)) {
    content = text
    const good = await fetch(mock + histories.url)
    t.same(await good.text(), text, `${coding} is decoded by the client`)
    t.same((await lastExchange(server)).deviations, [], `${coding}: a valid body has no deviation`)
    content = '{"page":"one"}'
    await (await fetch(mock + histories.url)).text()
    t.match((await lastExchange(server)).deviations[0], { where: 'body.per_page' }, `${coding}: a deviation is found`)
    t.strictSame((await lastExchange(server)).response?.body, JSON.parse(content), `${coding}: the journal can read it`)
  }
})

t.test('an undecodable or overlong body is forwarded, and the journal has the reason', async (t) => {
  const most = Buffer.from('{}'.padEnd(4 * 1024 * 1024))
  const longer = Buffer.concat([most, Buffer.from(' ')])
  for (const [coding, bytes, why, deviation] of [
    ['zstd', Buffer.from('{}'), / compared with the contract: its Content-Encoding 'zstd' is not decoded\./, undefined],
    ['identity', longer, / compared with the contract: it is longer than 4 MiB\./, undefined],
    ['gzip', gzipSync(longer), / compared with the contract: it is longer than 4 MiB\./, undefined],
    ['gzip', gzipSync(most), /"Answered by http:[^ ]+\."/, "'body.page' is missing: *"],
    ['br', Buffer.from('{}'), / compared with the contract: it is not 'br', as its Content-Encoding says\./, undefined],
  ] as const) {
    const { url } = await provider(t, (request, response) => {
      request.resume()
      const head = { 'content-type': 'application/json', 'content-encoding': coding, 'content-length': bytes.length }
      response.writeHead(200, head).end(bytes)
    })
    const { url: mock, port, server } = await inFront(t, url)
    const request = head(`GET ${histories.url} HTTP/1.1`, `Host: ${new URL(mock).host}`, 'Connection: close')
    const { text } = await untilClosed(port, request)
    t.ok(text.length > bytes.length, `${coding}: the client gets the body`)
    const entry = await lastExchange(server)
    t.match(JSON.stringify(entry), why, `${coding}: the reason`)
    t.ok(fits(`${entry.deviations[0]?.message}`, `${deviation}`), `${coding}: ${entry.deviations[0]?.message}`)
  }
})
