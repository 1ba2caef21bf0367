import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../../schemas/scenario.js'

type Break = (socket: Socket, reply: FastifyReply) => void | Promise<void>

/** Milliseconds until what was written is on its way, before the connection ends. */
const PAUSE = 20

/** How each fault breaks the connection, as the client sees it. */
const breaks: { readonly [F in Fault]: Break } = {
  CONNECTION_RESET_BY_PEER: (socket) => {
    // Node resets plain connections only.
    if (socket instanceof TLSSocket) socket.destroy()
    else socket.resetAndDestroy()
  },
  EMPTY_RESPONSE: (socket) => {
    socket.end()
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

/**
 * Faults without a byte of an answer. A browser sends a request again, also a POST, when a connection that it reuses ends
 * so: its page would see the second answer. It does not after the beginning of an answer that cannot be read: no status,
 * and two lengths, since Chromium takes a lone `HTTP/1.1` for a 200 of the page's own origin.
 */
const SILENT: ReadonlySet<Fault> = new Set<Fault>(['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE'])

const endForPage: Break = (socket) => {
  socket.end('HTTP/1.1 \r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n')
}

/** Node's own `fetch` sends `Sec-Fetch-Mode`, too, but no `Sec-Fetch-Site`. */
function isFromPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
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
export function breakConnection({ raw: request }: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
  const breakIt = SILENT.has(fault) && isFromPage(request) ? endForPage : breaks[fault]
  reply.hijack()
  const { raw } = reply
  if (raw.socket !== null) void breakIt(raw.socket, reply)
  // Its turn begins while Node still ends the answer before it; a reset would then be seen as a regular end.
  else raw.once('socket', (socket: Socket) => setImmediate(() => void breakIt(socket, reply)))
  return reply
}
