import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { createSigningLink, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { lastExchange, requestOf } from '../helper.js'
import { bytes, CRLF, form, raw } from '../http/forms.js'
import { inFront, jsonAnswer, provider, rawProvider } from './provider.js'

const histories = requestOf(listCreditHistories)
const goodHistories = sampleBody(listCreditHistories, 200)
const goodUpload = sampleBody(uploadSignature, 200)

const head = (lines: readonly string[]) => `${lines.join(CRLF)}${CRLF}${CRLF}`

/** Sends bytes, and resolves with all that comes back until the connection ends or nothing comes any more. */
function talk(port: number, sent: string | Uint8Array, quiet = 150): Promise<{ bytes: Buffer; ended: string }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const chunks: Buffer[] = []
    let timer: NodeJS.Timeout | undefined
    const finish = (ended: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ bytes: Buffer.concat(chunks), ended })
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      clearTimeout(timer)
      timer = setTimeout(() => finish('quiet'), quiet)
    })
    socket.on('end', () => finish('end'))
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'))
    socket.write(sent)
  })
}

t.test('a request reaches the provider byte for byte, but for what is between client and mock', async (t) => {
  const { url, requests } = await rawProvider(t, jsonAnswer(goodHistories))
  const { port } = await inFront(t, `${url}/base/`)
  const path = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=%31c9e&q=a+b%20c&&empty=&__code2=1'
  await talk(
    port,
    head([
      `GET /~w-1${path}&__delay=0&%5F%5Fexpect=200 HTTP/1.1`,
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
      'Cookie: a=1; countersign-0123abcd=secret; b=2',
      'X-Latin: \u00e5',
      'X-Empty:',
    ]),
  )
  t.equal(
    requests[0]?.toString('latin1'),
    head([
      `GET /base${path} HTTP/1.1`,
      'X-First: 1',
      `HOST: ${new URL(url).host}`,
      'X-Twice: a',
      'auTHORization: Bearer  whoever',
      'X-twice: b',
      'Prefer: respond-async, return="a,b"',
      'Cookie: a=1; b=2',
      'X-Latin: \u00c3\u00a5',
      'X-Empty: ',
      'Connection: keep-alive',
    ]),
    'order, case, repeats and spelling are the client’s',
  )
})

t.test('a URL with nothing but query twins has no query, and others are as they were', async (t) => {
  const { url, requests } = await rawProvider(t, jsonAnswer({}))
  const { port } = await inFront(t, url)
  const cases: [string, string][] = [
    ['/api/v2/credits/histories?__expect=200', '/api/v2/credits/histories'],
    ['/api/v2/credits/histories?', '/api/v2/credits/histories?'],
    ['/api/v2/credits/histories?a=__code&b', '/api/v2/credits/histories?a=__code&b'],
    ['http://elsewhere.test/~a/api/v2/credits/histories?a', '/api/v2/credits/histories?a'],
    ['/api/v2/projects/a%2Fb%20c/link?x=%ff', '/api/v2/projects/a%2Fb%20c/link?x=%ff'],
  ]
  for (const [sent, expected] of cases) {
    const method = sent.includes('link') ? 'POST' : 'GET'
    await talk(port, head([`${method} ${sent} HTTP/1.1`, 'Host: x', 'Connection: close']))
    const [line] = String(requests.at(-1)).split(CRLF)
    t.equal(line, `${method} ${expected} HTTP/1.1`, sent)
  }
})

t.test('bodies go on as they come: with a length, in chunks, with trailers, or not at all', async (t) => {
  const { url, requests } = await rawProvider(t, jsonAnswer(goodUpload))
  const { port, server } = await inFront(t, url)
  const bodyOf = () => {
    const whole = requests.at(-1) as Buffer
    return whole.subarray(whole.indexOf('\r\n\r\n') + 4)
  }
  await talk(port, bytes(...raw(form)))
  t.ok(bodyOf().equals(form), 'a body with a length is the same')
  t.match(String(requests.at(-1)), /\r\nContent-Length: \d+\r\n/, 'and so is its length')
  t.notMatch(String(requests.at(-1)), /Transfer-Encoding/i, 'it has no chunks')
  t.same(lastExchange(server).violations, [], 'it was judged, and nothing is wrong with it')
  t.match(lastExchange(server).form, { file: { filename: 's.png', mimetype: 'image/png' }, source: 'drawn ø' })

  await talk(port, bytes(...raw(form, { chunked: true })))
  t.match(String(requests.at(-1)), /\r\nTransfer-Encoding: chunked\r\n/, 'a chunked body stays chunked')
  t.ok(unchunked(bodyOf()).equals(form), 'its bytes are the same')

  await talk(
    port,
    head(['POST /client/signature HTTP/1.1', 'Host: x', 'Trailer: X-Sum', 'Transfer-Encoding: chunked']) +
      `3${CRLF}abc${CRLF}0${CRLF}X-Sum: 9${CRLF}${CRLF}`,
  )
  t.match(String(bodyOf()), /^3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n$/, 'trailers come along')

  const link = requestOf(createSigningLink).url
  await talk(port, head([`POST ${link} HTTP/1.1`, 'Host: x']))
  t.notMatch(String(requests.at(-1)), /content-length|transfer-encoding/i, 'without a body there is no framing')
  await talk(port, head([`POST ${link} HTTP/1.1`, 'Host: x', 'Content-Length: 0']))
  t.match(String(requests.at(-1)), /\r\nContent-Length: 0\r\n/, 'an empty body keeps its length')
  await talk(port, `${head([`GET ${histories.url} HTTP/1.1`, 'Host: x', 'Content-Length: 4'])}body`)
  t.equal(String(bodyOf()), 'body', 'the body of a GET comes along')
  await talk(port, head([`GET ${histories.url} HTTP/1.0`]), 50)
  t.match(String(requests.at(-1)), /HTTP\/1.1\r\nHost: 127/, 'HTTP/1.0 without a Host gets one')
})

function unchunked(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf(CRLF, at)
    const size = Number.parseInt(body.toString('latin1', at, line), 16)
    pieces.push(body.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
  return Buffer.concat(pieces)
}

t.test('an answer reaches the client byte for byte, with what the mock adds at its end', async (t) => {
  const body = '{"a":  1,\n "a": 2}'
  const { url } = await rawProvider(
    t,
    `${head([
      'HTTP/1.1 299 Quite so',
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
    ])}${body}`,
  )
  const { port } = await inFront(t, url)
  const { bytes: answer } = await talk(port, head([`GET ${histories.url}&__expect=200 HTTP/1.1`, 'Host: x']))
  t.equal(
    String(answer),
    `${head([
      'HTTP/1.1 299 Quite so',
      'X-B: 1',
      'content-TYPE: Application/JSON',
      'Set-Cookie: a=1; Path=/',
      'x-b: 2',
      'Set-Cookie: b=2',
      'Location: http://elsewhere.test/',
      `Content-Length: ${body.length}`,
      'X-Latin: \u00e5',
      'X-Mock-Outcome: listCreditHistories:299',
      'X-Mock-Exchange: x1',
      'Preference-Applied: expect=200',
      'Connection: keep-alive',
      'Keep-Alive: timeout=60',
    ])}${body}`,
  )
})

t.test('answers without a length, without a body, with trailers and hints', async (t) => {
  let answer = ''
  const { url } = await rawProvider(t, (socket) => {
    socket.write(answer)
    if (/Connection: close/.test(answer)) socket.end()
  })
  const { port } = await inFront(t, url)
  const ask = async (sent: string, version = '1.1') => {
    answer = sent
    const { bytes: got, ended } = await talk(port, head([`GET ${histories.url} HTTP/${version}`, 'Host: x']))
    return { text: String(got), ended }
  }
  const chunked = `HTTP/1.1 200 OK${CRLF}Trailer: X-Sum${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}2${CRLF}{}${CRLF}0${CRLF}X-Sum: 1${CRLF}${CRLF}`
  t.match(
    (await ask(chunked)).text,
    /Trailer: X-Sum\r\n[\s\S]*\r\n\r\n2\r\n\{\}\r\n0\r\nX-Sum: 1\r\n\r\n$/,
    'chunks and trailers',
  )
  const old = await ask(chunked, '1.0')
  t.match(old.text, /\r\n\r\n\{\}$/, 'HTTP/1.0 gets neither')
  t.equal(old.ended, 'end', 'and the end of the connection for the end')
  const closing = await ask(`${head(['HTTP/1.1 200 OK', 'Connection: close'])}{"a":1}`)
  t.match(
    closing.text,
    /Transfer-Encoding: chunked\r\n[\s\S]*7\r\n\{"a":1\}\r\n0\r\n\r\n$/i,
    'an end of connection becomes a last chunk',
  )
  for (const status of ['204 No Content', '304 Not Modified']) {
    const { text } = await ask(head([`HTTP/1.1 ${status}`, 'ETag: "1"']))
    t.match(text, new RegExp(`^HTTP/1.1 ${status}\r\nETag: "1"\r\n[\\s\\S]*\r\n\r\n$`), `${status} has no body`)
    t.notMatch(text, /transfer-encoding|content-length/i, `${status} has no framing`)
  }
  const hinted = await ask(head(['HTTP/1.1 103 Early Hints', 'Link: </a.css>; rel=preload']) + jsonAnswer({}))
  t.match(
    hinted.text,
    /^HTTP\/1.1 103 Early Hints\r\nLink: <\/a.css>; rel=preload\r\n\r\nHTTP\/1.1 200 OK/,
    'hints come first',
  )
})

t.test('what is encoded stays so, and is compared decoded', async (t) => {
  const text = JSON.stringify(goodHistories)
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
  const { url } = await rawProvider(
    t,
    jsonAnswer({}, [
      'Access-Control-Allow-Origin: https://theirs.test',
      'Access-Control-Expose-Headers: X-Request-Id',
      'Vary: Accept',
    ]),
  )
  const { url: own } = await inFront(t, url)
  const { headers } = await fetch(own + histories.url, { headers: { origin: 'http://localhost:3000' } })
  t.equal(headers.get('access-control-allow-origin'), 'http://localhost:3000', 'the origin is the page’s')
  t.match(headers.get('access-control-expose-headers'), /X-Mock-Outcome.*, X-Request-Id$/, 'both name what can be read')
  t.equal(headers.get('vary'), 'Accept, Origin', 'caches are told')
  const plain = await fetch(own + histories.url)
  t.equal(plain.headers.get('access-control-allow-origin'), 'https://theirs.test', 'without an origin, all is theirs')
})

t.test('connections are kept, and many requests at once are told apart', async (t) => {
  const sockets = new Set<unknown>()
  const { url } = await provider(t, (request, response) => {
    sockets.add(request.socket)
    request.resume().on('end', () => {
      setTimeout(() => response.end(JSON.stringify({ url: request.url })), Math.random() * 10)
    })
  })
  const { url: own, converse, server } = await inFront(t, url)
  for (let nth = 0; nth < 5; nth++) await (await fetch(`${own}${histories.url}&n=${nth}`)).text()
  t.equal(sockets.size, 1, 'one after the other take one connection')
  const all = await Promise.all(
    Array.from({ length: 50 }, async (_, nth) => (await fetch(`${own}/~w${nth}${histories.url}&n=${nth}`)).json()),
  )
  t.same(
    all.map((one) => (one as { url: string }).url),
    all.map((_, nth) => `${histories.url}&n=${nth}`),
    'each gets its own answer',
  )
  t.equal(server.worlds.sandbox('w7')?.journal.exchanges().length, 1, 'in its own world')
  const piped = Array.from({ length: 4 }, (_, nth) => head([`GET ${histories.url}&p=${nth} HTTP/1.1`, 'Host: x'])).join(
    '',
  )
  const { port } = new URL(own)
  const { bytes: got } = await talk(Number(port), piped, 300)
  t.same(
    Array.from(String(got).matchAll(/&p=(\d)/g), ([, nth]) => nth),
    ['0', '1', '2', '3'],
    'those that come at once are answered in order',
  )
  t.ok(converse, 'the connection can be spoken on')
})

t.test('what reads slowly is waited for on both sides, and 50 MB pass whole', async (t) => {
  const size = 50 * 1024 * 1024
  const block = Buffer.alloc(64 * 1024, 'x')
  const digest = () => createHash('sha256')
  const wanted = digest()
  for (let sent = 0; sent < size; sent += block.length) wanted.update(block)
  const sum = wanted.digest('hex')
  const { url } = await provider(t, (request, response) => {
    const got = digest()
    request.on('data', (chunk) => {
      got.update(chunk)
      request.pause()
      setImmediate(() => request.resume())
    })
    request.on('end', () => {
      response.setHeader('x-sum', got.digest('hex'))
      let sent = 0
      const more = () => {
        while (sent < size) {
          sent += block.length
          if (!response.write(block)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
  })
  const { url: own, server } = await inFront(t, url)
  async function* body() {
    for (let sent = 0; sent < size; sent += block.length) yield block
  }
  const response = await fetch(`${own}/client/signature?user_type=ENTERPRISE_API`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/octet-stream' },
    body: ReadableStream.from(body()),
    duplex: 'half',
  } as RequestInit)
  t.equal(response.headers.get('x-sum'), sum, 'the provider has got all of it')
  const back = digest()
  let most = 0
  for await (const chunk of response.body as never as AsyncIterable<Uint8Array>) {
    back.update(chunk)
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }
  t.equal(back.digest('hex'), sum, 'and so has the client')
  t.ok(most < 60 * 1024 * 1024, `never was all of it in memory: ${most}`)
  const { why, violations } = lastExchange(server)
  t.match(why, /not compared with the contract: it is longer than 4 MiB/, 'the journal says what was not compared')
  t.match(violations, [{ code: 'not-multipart' }], 'and what is wrong with the request')
})
