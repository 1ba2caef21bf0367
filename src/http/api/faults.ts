import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { FastifyReply } from 'fastify'
import type { Fault } from '../../../schemas/scenario.js'
import { readOn } from '../unread-bodies.js'

type Break = (socket: Socket, reply: FastifyReply) => void | Promise<void>

/** A pause, so that what was written is on its way before the connection goes. */
const PAUSE = 20

/** How each fault breaks the connection, as the client sees it. */
const breaks: { readonly [F in Fault]: Break } = {
  CONNECTION_RESET_BY_PEER: (socket) => {
    // Node resets plain connections only.
    if (socket instanceof TLSSocket) socket.destroy()
    else socket.resetAndDestroy()
  },
  EMPTY_RESPONSE: (socket, { raw }) => {
    // A request body that nobody read would turn the end into a reset.
    raw.req.resume()
    readOn(socket.end())
  },
  MALFORMED_RESPONSE_CHUNK: async (socket, reply) => {
    socket.write(`${headOf(reply)}transfer-encoding: chunked\r\n\r\nnot a chunk size\r\n{"status":`)
    await sleep(PAUSE)
    socket.destroy()
  },
  RANDOM_DATA_THEN_CLOSE: async (socket) => {
    socket.write(Buffer.from(GARBAGE, 'base64'))
    await sleep(PAUSE)
    socket.destroy()
  },
  TIMEOUT: () => {
    // Never answered: the client gives up, or the server closes.
  },
}

/** The head of an answer; a page of another origin may read it, and see that its body fails. */
function headOf(reply: FastifyReply): string {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...reply.getHeaders() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 200 OK\r\n${lines.join('')}`
}

/** Always the same bytes, none of which begins an HTTP answer. */
const GARBAGE = 'gP8Aq83vEjRWeJq83vD/7t3Mu6qZiHdmVUQzIhEAgP8Aq83vEjRWeJq83vD/7t3Mu6qZiHdmVUQzIhEA'

/** Breaks the connection instead of answering, as soon as what was asked before is answered. */
export function breakConnection(reply: FastifyReply, fault: Fault): void {
  reply.hijack()
  const { raw } = reply
  if (raw.socket !== null) return void breaks[fault](raw.socket, reply)
  // Its turn begins while Node still ends the answer before it; a reset would then be seen as a regular end.
  raw.once('socket', (socket: Socket) => setImmediate(() => void breaks[fault](socket, reply)))
}
