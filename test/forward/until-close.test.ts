import { connect, type Socket } from 'node:net'
import t from 'tap'
import { listCreditHistories } from '../../schemas/index.js'
import { lastExchange, requestOf } from '../helper.js'
import { inFront, rawProvider } from './provider.js'

const histories = requestOf(listCreditHistories)
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const CODED = 'Transfer-Encoding: gzip\r\n'

/** What a client has got when its connection has ended, and whether that was in order. */
function askedOf(
  port: number,
  version: string,
): Promise<{ readonly text: string; readonly error: string | undefined }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let error: string | undefined
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = code))
    socket.on('close', () => resolve({ text, error }))
    socket.write(`GET ${histories.url} HTTP/${version}\r\nHost: x\r\nConnection: close\r\n\r\n`)
  })
}

/** Ways in which an answer breaks that only the end of its connection ends. */
const breaks: Record<string, (socket: Socket) => void> = {
  stalls: () => {},
}

t.test('an answer that the end of its connection ends is whole with an orderly end alone', async (t) => {
  {
    const version = '1.1'
    for (const framing of ['', CODED]) {
      for (const [what, breakOff] of Object.entries(breaks)) {
        const { url } = await rawProvider(t, (socket) => {
          socket.write(`${HEAD}${framing}\r\n{"a"`)
          breakOff(socket)
        })
        const { port, server } = await inFront(t, url)
        const { text } = await askedOf(port, version)
        const name = `${what}, ${framing.trim()}, HTTP/${version}`
        t.notMatch(text, /\r\n0\r\n/, `${name}: there is no last chunk`)
        t.match(lastExchange(server), { status: null, outcome: null, why: /broke off its answer after 4 bytes/ }, name)
        t.same(server.worlds.root.journal.outcomes, {}, `${name}: nothing is covered`)
      }
      const { url } = await rawProvider(t, (socket) => void socket.end(`${HEAD}${framing}\r\n{"a":1}`))
      const { port, server } = await inFront(t, url)
      const { text, error } = await askedOf(port, version)
      t.match(text, /7\r\n\{"a":1\}\r\n0\r\n\r\n$/, 'what ends in order is whole')
      t.equal(error, undefined)
      t.match(lastExchange(server), { status: 200, outcome: 'listCreditHistories:200' })
    }
  }
})

t.test('an answer that needs no end of its connection is whole, however that ends', async (t) => {
  for (const status of ['204 No Content', '304 Not Modified']) {
    const { url } = await rawProvider(t, (socket) => {
      socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
      socket.resetAndDestroy()
    })
    const { port, server } = await inFront(t, url)
    const { text, error } = await askedOf(port, '1.1')
    t.match(text, new RegExp(`^HTTP/1.1 ${status}[\\s\\S]*\r\n\r\n$`))
    t.equal(error, undefined)
    t.match(lastExchange(server), { status: Number.parseInt(status, 10) })
  }
})
