import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { World } from '../world/world.js'
import { httpDate } from './date.js'
import { Problem, type ProblemCode } from './problems.js'
import { readOn } from './unread-bodies.js'

const CONNECTION_FAULTS: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers-too-large',
    detail: 'The request head is larger than 16 KB. Send fewer or shorter headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request-timeout',
    detail: 'The request did not arrive in time. Send its head within 8 seconds, and all of it within 5 minutes.',
  },
}

type ConnectionError = Error & { readonly code?: string; readonly rawPacket?: unknown }

/** Errors of clients that hung up, or that do not speak TLS where it is due. */
const GONE = /^(?:ECONNRESET|EPROTO|ERR_SSL_.*|ERR_TLS_.*)$/

/** The answer to the last request that began on a connection. */
const latest = new WeakMap<Socket, ServerResponse>()

/** Remembers which reply is under way on a connection, for when what follows on it is not HTTP. */
export function rememberReplies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    latest.set(request.raw.socket, reply.raw)
    done()
  })
}

/** Connections that were refused; what they still send is as little HTTP as before. */
const refused = new WeakSet<Socket>()

/** Answers what is not well-formed HTTP, and closes the connection. */
export function refuseConnection(root: World) {
  return (error: ConnectionError, socket: Socket): void => {
    if (refused.has(socket)) return
    // A browser opens connections ahead, and would take a 408 for the answer to its next request on one.
    const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
    if (GONE.test(error.code ?? '') || isUnused || !socket.writable) return void socket.destroy()
    refused.add(socket)
    readOn(socket)
    const answer = latest.get(socket)
    if (answer === undefined || (answer.req.complete && answer.writableFinished)) refuse(error, socket, root)
    // What follows a request does not take its answer.
    else if (answer.req.complete) answer.once('finish', () => refuse(error, socket, root))
    else if (answer.headersSent) socket.end()
    else if (error.code === 'HPE_INVALID_EOF_STATE') socket.destroy()
    else refuse(error, socket, root, () => socket.destroy())
  }
}

/** Answers what Node would answer by itself with a bare status, or with none. */
export function answerForNode(app: FastifyInstance, root: World): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return done()
    reply.header('connection', 'close')
    done(new Problem('bad-request', 'The request has no Host header, which HTTP/1.1 requires. Send one.'))
  })
  // What a client expects beside 100-continue, a server need not know (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  const detail = 'countersign is no proxy, and takes no CONNECT. Call its own URL instead of setting it as a proxy.'
  app.server.on('connect', (_, socket: Socket) => {
    socket.on('error', () => {})
    send(new Problem('bad-request', detail), socket, root)
  })
}

/** The first bytes of TLS (RFC 8446, section 5.1). */
const isTls = (bytes: unknown) => bytes instanceof Uint8Array && bytes[0] === 0x16 && bytes[1] === 0x03

function problemOf(error: ConnectionError): Problem {
  if (isTls(error.rawPacket))
    return new Problem(
      'bad-request',
      'This port speaks no TLS. Call http:// instead, or start with --tls-cert and --tls-key.',
    )
  const { code, detail } = CONNECTION_FAULTS[error.code ?? ''] ?? {
    code: 'bad-request' as const,
    detail: `The request is not well-formed HTTP: ${error.message}.`,
  }
  return new Problem(code, detail)
}

function refuse(error: ConnectionError, socket: Socket, root: World, sent?: () => void): void {
  if (!socket.writable) return
  const problem = problemOf(error)
  // A client that speaks TLS cannot read it.
  if (isTls(error.rawPacket)) root.journal.note(problem.message)
  send(problem, socket, root, sent)
}

function send({ status, headersSent, body }: Problem, socket: Socket, root: World, sent?: () => void): void {
  const headers = {
    ...headersSent,
    'content-length': String(Buffer.byteLength(body)),
    date: httpDate(root),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`, sent)
}
