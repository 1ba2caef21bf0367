import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { World } from '../world/world.js'
import { breakBody } from './body.js'
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

/** The reply to the last request that began on a connection. */
const latest = new WeakMap<Socket, FastifyReply>()

/** Remembers which reply is under way on a connection, for when what follows on it is not HTTP. */
export function rememberReplies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    latest.set(request.raw.socket, reply)
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
    if (error.code === 'ECONNRESET' || isUnused || !socket.writable) return void socket.destroy()
    refused.add(socket)
    readOn(socket)
    const reply = latest.get(socket)
    const request = reply?.request.raw
    if (reply === undefined || (request?.complete && reply.raw.writableFinished)) refuse(error, socket, root)
    // What follows a request does not take its answer.
    else if (request?.complete) reply.raw.once('finish', () => refuse(error, socket, root))
    else void refuseBody(error, reply)
  }
}

/** Each piece of input is answered once: whoever reads the body does it, else it was answered before. */
async function refuseBody(error: ConnectionError, { raw: answer, request }: FastifyReply): Promise<void> {
  answer.shouldKeepAlive = false
  // Within this turn of the event loop a body may yet come to be read, and an answer that is ready leaves.
  await turn()
  const why = request.raw.socket.readableEnded ? undefined : problemOf(error)
  if (!breakBody(request.raw, why)) request.raw.socket.end()
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

/** Answers a connection that speaks HTTP without TLS on a port with TLS, and closes it. */
export function refusePlain(root: World) {
  return (socket: Socket): void => {
    const detail = `This port speaks TLS. Call https://127.0.0.1:${socket.localPort} instead of http.`
    // Nobody reads what it sends, but to close at once could reset the connection before the answer is read.
    readOn(socket.resume())
    send(new Problem('bad-request', detail), socket, root)
  }
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

function refuse(error: ConnectionError, socket: Socket, root: World): void {
  if (!socket.writable) return
  const problem = problemOf(error)
  // A client that speaks TLS cannot read it.
  if (isTls(error.rawPacket)) root.journal.note(problem.message)
  send(problem, socket, root)
}

function send({ status, headersSent, body }: Problem, socket: Socket, root: World): void {
  const headers = {
    ...headersSent,
    'content-length': String(Buffer.byteLength(body)),
    date: httpDate(root),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
}
