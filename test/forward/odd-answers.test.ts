import t from 'tap'
import { lastExchange } from '../helper.js'
import { head, talk, untilClosed } from '../http/spoken.js'
import { forwarding, goodHistories, histories } from './provider.js'

const hints = (link: string) => `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\n\r\n${goodHistories}`
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

const reason = (text: string) => goodHistories.replace('200 OK', text)
const empty = (line: string) => `${head([`HTTP/1.1 ${line}`, 'Content-Length: 2'])}{}`
const first = (line: string) => new RegExp(`^HTTP/1\\.1 ${line}\r\n`)

/** What a provider may say that is seldom said, and the line with which the client's answer begins. */
const ODD: Readonly<Record<string, readonly [answer: string, line: RegExp]>> = {
  'a reason in UTF-8': [reason(utf8('200 成功')), first(utf8('200 成功'))],
  'a short reason in UTF-8': [reason(utf8('200 Não')), first(utf8('200 Não'))],
  'a reason in Latin-1': [reason('200 caf\u00e9'), first('200 OK')],
  'a reason with a control character': [reason('200 a\u0001b'), first('200 OK')],
  'a reason with a delete character': [reason('200 \u007f'), first('200 OK')],
  'a 304 that tells the length of what it leaves out': [
    head(['HTTP/1.1 304 Not Modified', 'Content-Length: 50']),
    /^HTTP\/1\.1 304 /,
  ],
  'a status beyond 599': [empty('600 X'), /^HTTP\/1\.1 502 Bad Gateway\r\n[\s\S]*the status 600/],
  'the status 999': [empty('999 X'), /^HTTP\/1\.1 502 Bad Gateway\r\n[\s\S]*the status 999/],
  '100 Continue that nobody waits for': [
    `HTTP/1.1 100 Continue\r\n\r\n${goodHistories}`,
    /^HTTP\/1\.1 502 [\s\S]*is not valid HTTP \(bad response\)/,
  ],
  'two hints in a line': [
    hints('</a.css>; rel=preload; as=style, </b.js>; rel=preload; as=script'),
    /HTTP\/1\.1 200 OK\r\n/,
  ],
  'hints that Node does not write': [hints('<https://a.test>; rel="preconnect dns-prefetch"'), first('200 OK')],
  'empty hints': [hints(''), first('200 OK')],
}

for (const [what, [answer, line]] of Object.entries(ODD)) {
  t.test(`${what} is passed on as far as can be, and ends nothing`, async (t) => {
    const { port } = await forwarding(t, Buffer.from(answer, 'latin1'))
    for (const client of ['the client', 'the next one']) {
      const { bytes } = await talk(port, head([`GET ${histories.url} HTTP/1.1`, 'Host: x']))
      t.match(bytes.toString('latin1'), line, `${client} gets an answer`)
    }
  })
}

t.test('a client of HTTP/1.0 gets no hints', async (t) => {
  const { port } = await forwarding(t, hints('</a.css>; rel=preload'))
  const { bytes } = await talk(port, head([`GET ${histories.url} HTTP/1.0`]))
  t.match(bytes.toString(), /^HTTP\/1\.1 200 OK\r\n/, 'but the answer alone')
})

const asked = (port: number) =>
  untilClosed(port, head([`GET ${histories.url} HTTP/1.1`, 'Host: x', 'Connection: close']))

t.test('an answer that needs no end of its connection is whole, however that ends', async (t) => {
  for (const status of ['204 No Content', '304 Not Modified']) {
    const { port, server } = await forwarding(t, (socket) => {
      socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
      socket.resetAndDestroy()
    })
    const got = { text: new RegExp(`^HTTP/1.1 ${status}[\\s\\S]*\r\n\r\n$`), error: undefined }
    t.match(await asked(port), got, status)
    t.match(lastExchange(server), { status: Number.parseInt(status, 10) }, status)
  }
})
