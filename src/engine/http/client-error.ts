import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'
import { quote } from '../contract/wording.js'
import { type Answer, type Exchange, keepAnswer } from '../journal/exchange.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { ENCODE_URL, lastExchangeBySocket, lastResponseBySocket, NO_BODY } from './operations/pending-exchange.js'
import { Problem, problemAnswer } from './problems.js'
import { sandboxNameIn } from './sandbox-of.js'

/** Lets pages of any origin read the answer: the headers of the request are unknown. */
const CORS_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'X-Mock-Error' }

type ConnectionError = Error & { readonly code?: string; readonly rawPacket?: object }

/** Answers requests that Node cannot parse, closes the connection, and enters them in the journal. */
export function createClientErrorHandler(sandboxes: Sandboxes) {
  return (error: ConnectionError, socket: Socket): void => {
    // A browser that preconnects would use a 408 as the answer to its next request.
    const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
    // The exchange of a client that disconnects within a body ends as aborted.
    const isDisconnected = error.code === 'ECONNRESET' || (error.code === CLOSED_EARLY && isWithinBody(socket))
    // Browsers and Java end a connection to a certificate that they do not trust, and show why. They may go on.
    const isDistrusted = /ALERT_CERTIFICATE_UNKNOWN$/.test(`${error.code}`)
    // A client whose connection is closing may still send.
    if (isDisconnected || isUnused || isDistrusted || socket.writableEnded) return void socket.destroy()
    const request = parseRequest(error, socket)
    const [code, detail, fix] = explainError(request)
    const problem = new Problem(code, `${detail} ${fix}`).withViolation('request', fix)
    // The exchange of a readable head in the same packet begins after this handler.
    setImmediate(() => {
      const last = lastExchangeBySocket.get(socket)
      if (last === undefined || last.isEnded || last.request.raw.complete) addToJournal(problem, request, sandboxes)
      else last.end({ answer: answerOf(problem), headers: problem.responseHeaders }, problem.status, problem.body)
    })
    // The problem would become part of an answer that is still being written.
    const last = lastResponseBySocket.get(socket)
    const isWithinAnswer = last?.headersSent === true && !last.writableFinished
    if (!socket.writable || isWithinAnswer) return void socket.destroy()
    const { status, responseHeaders, body } = problem
    const headers = {
      ...responseHeaders,
      ...CORS_HEADERS,
      'content-length': Buffer.byteLength(body),
      date: new Date().toUTCString(),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }
}

const CLOSED_EARLY = 'HPE_INVALID_EOF_STATE'

const isWithinBody = (socket: Socket) => lastExchangeBySocket.get(socket)?.request.raw.complete === false

type UnparsedRequest = ReturnType<typeof parseRequest>

const INSPECTED_CHARACTERS = 2_000

/** Parses as much of the request line as possible; the path without a query, which may contain secrets. */
function parseRequest({ code = '', message: reason, rawPacket }: ConnectionError, socket: Socket) {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0)
  const text = packet.toString('latin1', 0, INSPECTED_CHARACTERS)
  const [line = ''] = text.split(/\r?\n/, 1)
  const parts = /^([A-Za-z]{3,20}) +(\/[^ ?#]*)/.exec(line) ?? []
  // The packet begins with a whole request, and the unreadable bytes follow it.
  const followsRequest = code === 'HPE_INVALID_METHOD' && METHODS.includes(parts[1] ?? '')
  const [, method = null, path = null] = followsRequest ? [] : parts
  const isSurplus = followsRequest || (method === null && socket.bytesWritten > 0)
  // The first byte of every TLS connection.
  const isTls = packet[0] === 0x16
  return { code, reason, method, path, line, isTls, isInBody: isWithinBody(socket), isSurplus }
}

function explainError({ code, reason, method, path, line, isTls, isInBody, isSurplus }: UnparsedRequest) {
  const explain = <Code extends string>(problem: Code, detail: string, fix: string) => [problem, detail, fix] as const
  const bad = (detail: string, fix: string) => explain('bad-request', detail, fix)
  const capitals = method?.toUpperCase() ?? ''
  const [version] = /HTTP\/(?!1\.[01]$)[\d.]+$/.exec(line) ?? []
  const isUrlInvalid = code === 'HPE_INVALID_URL' || !/^\S+ \S+ HTTP\/1\.\d$/.test(line)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return explain('request-timeout', 'The request is too slow.', 'Send its head in 8 seconds, the rest in 5 minutes.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return explain('headers-too-large', 'The request head is larger than 16 KB.', 'Send fewer or shorter headers.')
  if (code === CLOSED_EARLY)
    return bad('The connection ended within the request head.', 'Send the whole head, and an empty line.')
  if (isTls) return bad('This is https, but the server uses http.', 'Call http://, or set --tls-cert and --tls-key.')
  if (code === 'ERR_SSL_HTTP_REQUEST') return bad('This is http, but the server uses https.', 'Call https://.')
  if (/^ERR_SSL_.*(?:VERSION|PROTOCOL|CIPHER|PACKET|RECORD)/.test(code))
    return bad('This server requires TLS 1.2 or newer.', 'Use a client with TLS 1.2 or newer.')
  if (code.startsWith('ERR_SSL_'))
    return bad('The TLS handshake failed.', 'Make the client trust the certificate; in Node, set NODE_EXTRA_CA_CERTS.')
  if (isInBody) return bad('The chunks of the body cannot be read.', 'Send the body with its Content-Length.')
  if (method !== null && method !== capitals && METHODS.includes(capitals))
    return bad(`The method ${quote(method)} must be in capitals.`, `Write it in capitals: ${capitals}.`)
  if (version !== undefined) return bad(`The request is in ${version}.`, 'Use HTTP/1.1.')
  if (isSurplus)
    return bad('The previous request had no Content-Length, or a longer body.', 'Send its length in bytes.')
  if (method !== null && code === 'HPE_INVALID_METHOD')
    return bad(`The method ${quote(method)} is unknown.`, 'Use GET, HEAD, POST, PUT, PATCH or DELETE.')
  if (/^[A-Z]+ +[^ /*]/.test(line)) return bad('The URL begins without a slash.', 'Begin the path with a slash.')
  if (method !== null && path !== null && isUrlInvalid)
    return bad('The URL has blanks, control characters, or characters beyond ASCII.', ENCODE_URL)
  if (/CONTENT_LENGTH|TRANSFER_ENCODING/.test(code))
    return bad('Content-Length or Transfer-Encoding is unreadable or contradictory.', 'Send only one of them.')
  if (/HEADER|(CR|LF)_EXPECTED/.test(code))
    return bad(
      'A header value contains a line break or another control character, or a header name contains a space.',
      'Remove that character; tokens often end with a line break.',
    )
  return bad(`The request is not well-formed HTTP: ${reason}.`, 'Send it with an HTTP client such as curl or fetch.')
}

/** Uses a separate code: unlike other problems, this one is never `expected`, since no preference was read. */
function answerOf(problem: Problem): Answer {
  const { violation } = problem
  return problemAnswer(problem, violation === undefined ? [] : [{ ...violation, code: 'unreadable-request' }])
}

/** The journal of the sandbox in the path, else of the root. */
function addToJournal(problem: Problem, { method, path }: UnparsedRequest, sandboxes: Sandboxes): void {
  const { status, responseHeaders, body } = problem
  const name = path === null ? undefined : sandboxNameIn(path)
  const sandbox = name !== undefined && SANDBOX_NAME.test(name) ? sandboxes.get(name) : sandboxes.root
  const exchange: Exchange = {
    id: sandbox.journal.nextId(),
    at: sandbox.clock.now(),
    sandbox: sandbox.name,
    sandboxBy: sandbox.name === null ? null : 'url',
    test: sandbox.test,
    contract: null,
    request: {
      ...NO_BODY,
      method: method ?? '',
      url: path ?? '',
      headers: {},
      params: {},
      query: {},
      token: undefined,
      tokenHeader: '',
      preferences: null,
      isCut: false,
    },
    answer: keepAnswer(answerOf(problem), responseHeaders, body),
    status,
    duration: 0,
    isBeforeReset: false,
  }
  sandbox.journal.add(exchange)
  sandbox.events.emit('exchange', exchange, sandbox)
}
