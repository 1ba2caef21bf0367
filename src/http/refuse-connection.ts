import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { World } from '../world/world.js'
import { breakBody, isRead } from './body.js'
import { httpDate } from './date.js'
import { drain } from './drain.js'
import { Problem, type ProblemCode } from './problems.js'
import { latestAnswer } from './server-response.js'

const CONNECTION_FAULTS: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers-too-large',
    detail: 'The request head is larger than 16 KB: send fewer or shorter headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request-timeout',
    detail: 'The request did not arrive in time: send its head within 8 seconds, and all of it within 5 minutes.',
  },
}

type ConnectionError = Error & { readonly code?: string }

/** Connections that were refused; what they still send is as little HTTP as before. */
const refused = new WeakSet<Socket>()

/** Answers what is not well-formed HTTP, and closes the connection. */
export function refuseConnection(root: World) {
  return (error: ConnectionError, socket: Socket): void => {
    if (refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refused.add(socket)
    drain(socket)
    const latest = latestAnswer(socket)
    if (latest === undefined || (latest.req.complete && latest.writableFinished)) refuse(error, socket, root)
    // What follows a request does not take its answer.
    else if (latest.req.complete) latest.once('finish', () => refuse(error, socket, root))
    else void refuseBody(error, latest)
  }
}

/** Each piece of input is answered once: whoever reads the body does it, else it was answered before. */
async function refuseBody(error: ConnectionError, answer: ServerResponse): Promise<void> {
  const { req: request } = answer
  answer.shouldKeepAlive = false
  // Within this turn of the event loop a body may yet come to be read, and an answer that is ready leaves.
  await turn()
  if (!isRead(request)) return void request.socket.end()
  if (!request.socket.readableEnded) return breakBody(request, problemOf(error))
  await probe(answer)
  breakBody(request)
}

const PROBE = 10

/**
 * A client that left looks like one that only sends no more, until something is sent to it: the first interim answer is
 * met by a reset, and the second meets it. HTTP/1.0 knows none.
 */
async function probe(answer: ServerResponse): Promise<void> {
  if (answer.req.httpVersionMinor === 0) return
  for (let sent = 0; sent < 2; sent++) {
    answer.writeContinue()
    await sleep(PROBE)
  }
}

function problemOf(error: ConnectionError): Problem {
  const { code, detail } = CONNECTION_FAULTS[error.code ?? ''] ?? {
    code: 'bad-request' as const,
    detail: `The request is not well-formed HTTP: ${error.message}.`,
  }
  return new Problem(code, detail)
}

function refuse(error: ConnectionError, socket: Socket, root: World): void {
  if (!socket.writable) return
  const { status, headersSent, body } = problemOf(error)
  const headers = {
    ...headersSent,
    'content-length': String(Buffer.byteLength(body)),
    date: httpDate(root),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
}
