import { request as httpRequest } from 'node:http'
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { lastExchange } from '../helper.js'
import { inFront, jsonAnswer } from './provider.js'

const SIZE = 20 * 1024 * 1024
const REFUSAL = { error: { code: 401, message: 'no' } }
const answer = jsonAnswer(REFUSAL, ['Connection: close'], '401 Unauthorized')
const UNTIL_CLOSE = 'HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n'
const [head, body] = answer.split(/(?<=\r\n\r\n)/) as [string, string]
const UNCHECKED = '. The request’s body was not checked: the answer came before all of the body.'
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A provider that speaks as soon as the head of a request begins, and reads as little as it may. */
async function hasty(t: Test, speak: (socket: Socket) => unknown): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.pause()
      speak(socket)
    })
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** Sends 20 MB, and resolves with the status and the text of the answer, or what went wrong. */
function upload(url: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = httpRequest(`${url}/client/signature?user_type=ENTERPRISE_API`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': SIZE },
    })
    const block = Buffer.alloc(64 * 1024)
    let left = SIZE
    const more = () => {
      while (left > 0 && !sent.destroyed) {
        left -= block.length
        if (!sent.write(block)) return
      }
      sent.end()
    }
    sent.on('drain', more)
    sent.on('error', ({ message }) => resolve(message))
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('close', () => resolve(`${response.statusCode} ${response.complete ? text : 'broken'}`))
    })
    more()
  })
}

/** Ways in which a provider says no before it has read what it refuses, and leaves. */
const ways: Record<string, (socket: Socket) => unknown> = {
  closes: (socket) => socket.end(answer, () => socket.destroy()),
  resets: (socket) => socket.write(answer, () => socket.resetAndDestroy()),
  'resets a little later': (socket) => socket.write(answer, () => void later(5).then(() => socket.resetAndDestroy())),
  'says it in two pieces': (socket) =>
    socket.write(head, () => void later(5).then(() => socket.end(body, () => socket.destroy()))),
  'stays, and reads nothing': (socket) => socket.write(answer),
}

t.test('an answer that comes before the body is read reaches a client that still sends', async (t) => {
  for (const [what, speak] of Object.entries(ways)) {
    const { url, server } = await inFront(t, await hasty(t, speak))
    const told: Record<string, number> = {}
    for (let nth = 0; nth < 20; nth++) {
      const got = await upload(url)
      const { cause, outcome, why } = lastExchange(server)
      const all = `${got} ${cause} ${outcome} ${/(?<=:\d+)\. The request.*/.exec(why)}`
      told[all] = (told[all] ?? 0) + 1
    }
    t.same(told, { [`401 ${body} provider uploadSignature:401 ${UNCHECKED}`]: 20 }, what)
  }
})

t.test('one that nobody can know to be whole breaks off behind what has come', async (t) => {
  const { url, server } = await inFront(
    t,
    await hasty(t, (socket) => socket.write(`${UNTIL_CLOSE}${body}`, () => socket.resetAndDestroy())),
  )
  for (let nth = 0; nth < 5; nth++) {
    t.match(await upload(url), /^401 broken$|socket hang up|ECONNRESET|EPIPE/)
    t.match(lastExchange(server), { status: null, outcome: null, why: /broke off its answer after/ })
  }
})

t.test('without an answer, a connection that ends under a body is told as such', async (t) => {
  const { url } = await inFront(t, await hasty(t, (socket) => socket.resetAndDestroy()))
  for (let nth = 0; nth < 5; nth++) t.match(await upload(url), /^502 .*broke the connection before it answered/)
})
