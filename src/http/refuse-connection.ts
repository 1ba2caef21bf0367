import type { Socket } from 'node:net'
import { drain } from './drain.js'
import { Problem, type ProblemCode } from './problems.js'

const CONNECTION_FAULTS: Readonly<Record<string, { status: string; code: ProblemCode; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'headers-too-large',
    detail: 'The request head is larger than 16 KB: send fewer or shorter headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request-timeout',
    detail: 'The request did not arrive in time: send its head within 8 seconds, and all of it within 5 minutes.',
  },
}

/** Connections that were answered; what they still send is as little HTTP as before. */
const refused = new WeakSet<Socket>()

/** Answers what is not well-formed HTTP, and closes the connection. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (refused.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  refused.add(socket)
  const { status, code, detail } = CONNECTION_FAULTS[error.code ?? ''] ?? {
    status: '400 Bad Request',
    code: 'bad-request' as const,
    detail: `The request is not well-formed HTTP: ${error.message}.`,
  }
  const { headersSent, body } = new Problem(code, detail)
  const headers = { ...headersSent, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  drain(socket)
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`)
}
