import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { createSigningLink, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { fetched, lastExchange, requestOf } from '../helper.js'
import { bytes, CRLF, form, raw } from '../http/forms.js'
import { bodyOf } from '../http/sent.js'
import { head, talk } from '../http/spoken.js'
import { forwarding, goodHistories, histories, inFront, jsonAnswer, provider, rawProvider } from './provider.js'

t.test('a request reaches the provider with all that it says, but for what is between client and mock', async (t) => {
  const { url, requests } = await rawProvider(t, goodHistories)
  const { port } = await inFront(t, `${url}/base/`)
  const path = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=%31c9e&q=a+b%20c&&empty=&__code2=1'
  const sent = [
    'X-First: 1',
    'HOST: mock.test:1234',
    'X-Twice: a',
    'auTHORization: Bearer  whoever ',
    'X-twice:  b',
    'Connection: keep-alive, X-Hop',
    'X-Hop: gone',
    'Keep-Alive: 300',
    'TE: trailers',
    'Proxy-Connection: keep-alive',
    'Upgrade: h2c',
    'Prefer: delay=0, respond-async, expect=200, return="a,b"',
    'X-Mock-Exchange: x1',
    'Cookie: a=1; b=2',
    'X-Latin: \u00e5',
    'X-Empty:',
  ]
  await talk(port, head([`GET /~w-1${path}&__delay=0&__expect=200 HTTP/1.1`, ...sent]))
  const [line, ...fields] = (requests[0]?.toString('latin1') ?? '').trimEnd().split(CRLF)
  t.equal(line, `GET /base${path} HTTP/1.1`, 'the path and the query are the client’s, as they were written')
  const got = fields.map((one) => one.replace(/^[^:]+/, (name) => name.toLowerCase()))
  const wanted = [
    'authorization: Bearer  whoever',
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
  t.same(got.sort(), wanted, 'and so are its fields, repeats included')
})

t.test('a URL with nothing but query twins has no query, and others are as they were', async (t) => {
  const { port, requests } = await forwarding(t, jsonAnswer({}))
  const cases: [string, string][] = [
    ['/api/v2/credits/histories?__expect=200', '/api/v2/credits/histories'],
    ['/api/v2/credits/histories?', '/api/v2/credits/histories?'],
    ['/api/v2/credits/histories?a=__code&b', '/api/v2/credits/histories?a=__code&b'],
    ['http://elsewhere.test/~a/api/v2/credits/histories?a', '/api/v2/credits/histories?a'],
    ['/api/v2/projects/a%2Fb%20c/link?x=%C3%BF', '/api/v2/projects/a%2Fb%20c/link?x=%C3%BF'],
  ]
  for (const [sent, expected] of cases) {
    const method = sent.includes('link') ? 'POST' : 'GET'
    await talk(port, head([`${method} ${sent} HTTP/1.1`, 'Host: x', 'Connection: close']))
    const [line] = String(requests.at(-1)).split(CRLF)
    t.equal(line, `${method} ${expected} HTTP/1.1`, sent)
  }
})

t.test('bodies go on as they come: with a length, in chunks, or not at all', async (t) => {
  const { port, server, requests } = await forwarding(t, jsonAnswer(sampleBody(uploadSignature, 200)))
  const last = () => requests.at(-1) as Buffer
  await talk(port, bytes(...raw(form)))
  t.ok(bodyOf(last()).equals(form), 'a body with a length is the same')
  t.match(String(last()), /\r\nContent-Length: \d+\r\n/i, 'and so is its length')
  t.notMatch(String(last()), /Transfer-Encoding/i, 'it has no chunks')
  t.same(lastExchange(server).violations, [], 'it was judged, and nothing is wrong with it')
  t.match(lastExchange(server).form, { file: { filename: 's.png', mimetype: 'image/png' }, source: 'drawn ø' })

  await talk(port, bytes(...raw(form, { chunked: true })))
  t.ok(bodyOf(last()).equals(form), 'a chunked body has the same bytes')

  const link = requestOf(createSigningLink).url
  await talk(port, head([`POST ${link} HTTP/1.1`, 'Host: x']))
  t.equal(bodyOf(last()).length, 0, 'without a body there is none')
  await talk(port, head([`POST ${link} HTTP/1.1`, 'Host: x', 'Content-Length: 0']))
  t.match(String(last()), /\r\nContent-Length: 0\r\n/i, 'an empty body keeps its length')
  await talk(port, head([`GET ${histories.url} HTTP/1.0`]), 50)
  t.match(String(last()), /HTTP\/1.1\r\nhost: 127/i, 'HTTP/1.0 without a Host gets one')
})

t.test('an answer reaches the client with all that it says, and what the mock adds', async (t) => {
  const body = '{"a":  1,\n "a": 2}'
  const theirs = [
    'X-B: 1',
    'content-TYPE: Application/JSON',
    'Set-Cookie: a=1; Path=/',
    'x-b: 2',
    'Set-Cookie: b=2',
    'Connection: X-Secret, keep-alive',
    'X-Secret: gone',
    'Keep-Alive: timeout=60',
    'X-Mock-Outcome: theirs',
    'X-Mock-Exchange: theirs',
    'Location: http://elsewhere.test/',
    `Content-Length: ${body.length}`,
    'X-Latin: \u00e5',
  ]
  const { port } = await forwarding(t, head(['HTTP/1.1 299 Quite so', ...theirs]) + body)
  const { bytes: answer } = await talk(port, head([`GET ${histories.url}&__expect=200 HTTP/1.1`, 'Host: x']))
  const [fields = '', ...rest] = answer.toString('latin1').split(`${CRLF}${CRLF}`)
  t.equal(rest.join(`${CRLF}${CRLF}`), body, 'the body is the same, byte for byte')
  const [line, ...sent] = fields.split(CRLF).filter((one) => !/^(?:date|vary): /i.test(one))
  t.equal(line, 'HTTP/1.1 299 Quite so', 'so is the status, with its reason')
  t.same(
    sent.map((one) => one.replace(/^[^:]+/, (name) => name.toLowerCase())).sort(),
    [
      'connection: keep-alive',
      `content-length: ${body.length}`,
      'content-type: Application/JSON',
      'keep-alive: timeout=60',
      'location: http://elsewhere.test/',
      'preference-applied: expect=200',
      'set-cookie: a=1; Path=/',
      'set-cookie: b=2',
      'x-b: 1',
      'x-b: 2',
      'x-latin: \u00c3\u00a5',
      'x-mock-exchange: x1',
      'x-mock-outcome: listCreditHistories:299',
    ],
    'and every field but those of the connection',
  )
})

t.test('answers without a length, and without a body', async (t) => {
  let answer = ''
  const { port } = await forwarding(t, (socket) => void socket.write(answer))
  const ask = async (sent: string, version = '1.1') => {
    answer = sent
    const { bytes: got, ended } = await talk(port, head([`GET ${histories.url} HTTP/${version}`, 'Host: x']))
    return { text: String(got), ended }
  }
  const trailing = head(['2', '{}', '0', 'X-Sum: 1'])
  const chunked = head(['HTTP/1.1 200 OK', 'Trailer: X-Sum', 'Transfer-Encoding: chunked']) + trailing
  t.match((await ask(chunked)).text, /content-length: 2\r\n[\s\S]*\r\n\r\n\{\}$/i, 'chunks are put together')
  const old = { text: /\r\n\r\n\{\}$/, ended: 'end' }
  t.match(await ask(chunked, '1.0'), old, 'HTTP/1.0 gets neither, and the end of the connection for the end')
  for (const status of ['204 No Content', '304 Not Modified']) {
    const { text } = await ask(head([`HTTP/1.1 ${status}`, 'ETag: "1"']))
    const bodiless = new RegExp(`^HTTP/1.1 ${status}\r\n[\\s\\S]*etag: "1"\r\n[\\s\\S]*\r\n\r\n$`)
    t.match(text, bodiless, `${status} has no body`)
    t.notMatch(text, /transfer-encoding|content-length/i, `${status} has no framing`)
  }
})

t.test('what is encoded stays so, and is compared decoded', async (t) => {
  const text = JSON.stringify(sampleBody(listCreditHistories, 200))
  const codings: Record<string, (text: string) => Uint8Array> = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
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
  const { url: own, server } = await inFront(t, url)
  for (coding of Object.keys(codings)) {
    content = text
    const good = await fetch(own + histories.url)
    t.same(await good.text(), text, `${coding} is decoded by the client`)
    t.same(lastExchange(server).deviations, [], `${coding}: nothing is wrong with it`)
    content = '{"page":"one"}'
    await (await fetch(own + histories.url)).text()
    t.match(lastExchange(server).deviations[0], { where: 'body.per_page' }, `${coding}: what is wrong is found`)
    t.equal(lastExchange(server).sent?.body, content, `${coding}: the journal can read it`)
  }
})

t.test('pages of other origins may read what the mock lets them read, and what the provider exposes', async (t) => {
  const fields = ['Allow-Origin: https://theirs.test', 'Expose-Headers: X-A', 'Expose-Headers: X-B']
  const answer = jsonAnswer({}, ['Vary: Accept', ...fields.map((field) => `Access-Control-${field}`)])
  const { url } = await forwarding(t, answer)
  const { headers } = await fetched(url + histories.url, { headers: { origin: 'http://localhost:3000' } })
  t.equal(headers['access-control-allow-origin'], 'http://localhost:3000', 'the origin is the page’s')
  t.match(headers['access-control-expose-headers'], /X-Mock-Outcome.*, X-A, X-B$/, 'both name what can be read')
  const plain = await fetched(url + histories.url)
  t.equal(plain.headers['access-control-allow-origin'], 'https://theirs.test', 'without an origin, all is theirs')
})
