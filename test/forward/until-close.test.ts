import t from 'tap'
import { lastExchange } from '../helper.js'
import { head, untilClosed } from '../http/spoken.js'
import { forwarding, histories, inFront, rawProvider } from './provider.js'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

const asked = (port: number) =>
  untilClosed(port, head([`GET ${histories.url} HTTP/1.1`, 'Host: x', 'Connection: close']))

t.test('an answer that the end of its connection ends is whole with an orderly end alone', async (t) => {
  for (const framing of ['', 'Transfer-Encoding: gzip\r\n']) {
    const stalling = await rawProvider(t, (socket) => void socket.write(`${HEAD}${framing}\r\n{"a"`))
    const broken = await inFront(t, stalling.url)
    t.notMatch((await asked(broken.port)).text, /\r\n0\r\n/, `${framing}: there is no last chunk`)
    const lost = { status: null, outcome: null, why: /broke off its answer after 4 bytes/ }
    t.match(lastExchange(broken.server), lost, `${framing}: it stalls`)
    t.same(broken.server.worlds.root.journal.outcomes, {}, `${framing}: nothing is covered`)

    const ending = await rawProvider(t, (socket) => void socket.end(`${HEAD}${framing}\r\n{"a":1}`))
    const whole = await inFront(t, ending.url)
    const got = { text: /Transfer-Encoding: chunked\r\n[\s\S]*7\r\n\{"a":1\}\r\n0\r\n\r\n$/i, error: undefined }
    t.match(await asked(whole.port), got, `${framing}: what ends in order is whole`)
    t.match(lastExchange(whole.server), { status: 200, outcome: 'listCreditHistories:200' }, framing)
  }
})

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
