import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../files/scenario.js'
import { sleep } from '../../timers.js'

type Break = (socket: Socket, reply: FastifyReply) => void | Promise<void>

const PAUSE_MS = 20

const breaks: { readonly [F in Fault]: Break } = {
  CONNECTION_RESET_BY_PEER: (socket) => {
    // TLS sockets have no `resetAndDestroy`.
    if (socket instanceof TLSSocket) socket.destroy()
    else socket.resetAndDestroy()
  },
  EMPTY_RESPONSE: (socket) => {
    socket.end()
  },
  MALFORMED_RESPONSE_CHUNK: (socket, reply) =>
    writeAndCut(socket, `${headOf(reply)}transfer-encoding: chunked\r\n\r\nnot a chunk size\r\n{"status":`),
  RANDOM_DATA_THEN_CLOSE: (socket) => writeAndCut(socket, Buffer.from(GARBAGE, 'base64')),
  TIMEOUT: () => {
    // The client gives up, or the server closes.
  },
}

async function writeAndCut(socket: Socket, bytes: string | Buffer): Promise<void> {
  socket.write(bytes)
  await sleep(PAUSE_MS)
  socket.destroy()
}

/** Browsers repeat a request, even a POST, if a reused connection ends; after an unreadable answer they do not. */
const SILENT: ReadonlySet<Fault> = new Set<Fault>(['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE'])

const endForPage: Break = (socket) => {
  socket.end('HTTP/1.1 \r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n')
}

/** Node's `fetch` sends `Sec-Fetch-Mode`, but no `Sec-Fetch-Site`. */
function isFromPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

/** With CORS headers, so that a page sees the body fail. */
function headOf(reply: FastifyReply): string {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...reply.getHeaders() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 200 OK\r\n${lines.join('')}`
}

const GARBAGE = 'gP8Aq83vEjRWeJq83vD/7t3Mu6qZiHdmVUQzIhEAgP8Aq83vEjRWeJq83vD/7t3Mu6qZiHdmVUQzIhEA'

export function breakConnection({ raw: request }: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
  const breakSocket = SILENT.has(fault) && isFromPage(request) ? endForPage : breaks[fault]
  reply.hijack()
  const { raw } = reply
  if (raw.socket !== null) void breakSocket(raw.socket, reply)
  // Node is still ending the previous answer: a reset would look like a regular end.
  else raw.once('socket', (socket: Socket) => setImmediate(() => void breakSocket(socket, reply)))
  return reply
}
