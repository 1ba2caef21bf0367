import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from './problems.js'

/** Lets pages read the answer; the origin of a request that was not read is unknown. */
const READABLE = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'X-Mock-Error' }

type ConnectionError = Error & { readonly code?: string }

/** Answers requests that Node cannot parse, and closes the connection. */
export function handleClientError(error: ConnectionError, socket: Socket): void {
  // A browser that preconnects would take a 408 for the answer to its next request.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || isUnused || !socket.writable) return void socket.destroy()
  const { status, responseHeaders, body } = problemOf(error)
  const size = Buffer.byteLength(body)
  const headers = {
    ...responseHeaders,
    ...READABLE,
    'content-length': size,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

function problemOf({ code, message }: ConnectionError): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers-too-large', 'The request head is larger than 16 KB. Send fewer or shorter headers.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const detail = 'The request did not arrive in time. Send its head within 8 seconds, and all of it within 5 minutes.'
    return new Problem('request-timeout', detail)
  }
  return new Problem('bad-request', `The request is not well-formed HTTP: ${message}.`)
}
