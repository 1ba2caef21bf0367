import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import { lastExchange, requestOf } from '../helper.js'
import { bytes, CRLF, form, raw } from '../http/forms.js'
import { bodyOf } from '../http/sent.js'
import { head, talk } from '../http/spoken.js'
import { forwarding, goodHistories, histories, inFront, jsonAnswer, rawProvider } from './provider.js'

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
    'Cookie: a=1; countersign-0123abcd=secret; b=2',
    'X-Latin: \u00e5',
    'X-Empty:',
  ]
  await talk(port, head([`GET /~w-1${path}&__delay=0&%5F%5Fexpect=200 HTTP/1.1`, ...sent]))
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
    ['/api/v2/projects/a%2Fb%20c/link?x=%ff', '/api/v2/projects/a%2Fb%20c/link?x=%ff'],
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
  await talk(port, `${head([`GET ${histories.url} HTTP/1.1`, 'Host: x', 'Content-Length: 4'])}body`)
  t.equal(String(bodyOf(last())), 'body', 'the body of a GET comes along')
  await talk(port, head([`GET ${histories.url} HTTP/1.0`]), 50)
  t.match(String(last()), /HTTP\/1.1\r\nhost: 127/i, 'HTTP/1.0 without a Host gets one')
})
