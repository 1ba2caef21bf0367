import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { createSigningLink, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { lastExchange, requestOf } from '../helper.js'
import { bytes, CRLF, form, raw } from '../http/forms.js'
import { inFront, jsonAnswer, rawProvider } from './provider.js'
import { head, talk } from './talk.js'

const histories = requestOf(listCreditHistories)
const goodHistories = sampleBody(listCreditHistories, 200)
const goodUpload = sampleBody(uploadSignature, 200)

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
