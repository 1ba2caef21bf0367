import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'
import { quote } from '../contract/wording.js'
import { type Answer, type Exchange, keepAnswer, NO_EFFECTS } from '../journal/exchange.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { isWithinBody, lastLengthOn, lastResponseOn, NO_BODY, unfinishedOn } from './operations/pending-exchange.js'
import { Problem } from './problems.js'
import { sandboxNameIn } from './sandbox-of.js'

/** Lets pages read the answer; the origin of a request that was not read is unknown. */
const READABLE = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'X-Mock-Error' }

type ConnectionError = Error & { readonly code?: string; readonly rawPacket?: object }

/** Answers requests that Node cannot parse, closes the connection, and enters them in the journal. */
export function createClientErrorHandler(sandboxes: Sandboxes) {
  return (error: ConnectionError, socket: Socket): void => {
    // A browser that preconnects would take a 408 for the answer to its next request.
    const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
    // A client that hangs up within a body is noted as aborted.
    const isGone = error.code === 'ECONNRESET' || (error.code === CUT_OFF && isWithinBody(socket))
    if (isGone || isUnused) return void socket.destroy()
    const sent = sentIn(error, socket)
    const [code, detail, fix] = remedyFor(sent)
    const problem = new Problem(code, `${detail} ${fix}`).withViolation('request', fix)
    // The exchange of a head that came together with what cannot be read begins after this.
    setImmediate(() => {
      const unfinished = unfinishedOn(socket)
      if (unfinished === undefined) addToJournal(problem, sent, sandboxes)
      else unfinished.end({ answer: answerOf(problem), headers: problem.responseHeaders }, problem.status, problem.body)
    })
    // The bytes would become part of an answer that is still being written.
    const last = lastResponseOn.get(socket)
    const isWithinAnswer = last?.headersSent === true && !last.writableFinished
    if (!socket.writable || isWithinAnswer) return void socket.destroy()
    const { status, responseHeaders, body } = problem
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
}

const CUT_OFF = 'HPE_INVALID_EOF_STATE'

type RequestLine = ReturnType<typeof sentIn>

/** Characters of a head that are looked at. */
const LONGEST_HEAD = 2_000

/** As much of a request's first line as can be read; the path without a query, which may hold secrets. */
function sentIn({ code = '', message: reason, rawPacket }: ConnectionError, socket: Socket) {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0)
  const text = packet.toString('latin1', 0, LONGEST_HEAD)
  const [line = ''] = text.split(/\r?\n/, 1)
  const parts = /^([A-Za-z]{3,20}) +(\/[^ ?#]*)/.exec(line) ?? []
  const isBehind = code === 'HPE_INVALID_METHOD' && METHODS.includes(parts[1] ?? '')
  // The request before these bytes declares the length of its body.
  const hasLength = isBehind ? /\ncontent-length:/i.test(text) : lastLengthOn(socket) !== undefined
  // What came behind a whole request is no part of it.
  const [, method = null, path = null] = isBehind ? [] : parts
  const isRest = isBehind || (method === null && socket.bytesWritten > 0)
  const isTls = packet[0] === TLS_HANDSHAKE
  return { code, reason, method, path, line, isTls, isInBody: isWithinBody(socket), isRest, hasLength }
}

/** The first byte of every TLS connection. */
const TLS_HANDSHAKE = 0x16

function remedyFor({ code, reason, method, path, line, isTls, isInBody, isRest, hasLength }: RequestLine) {
  const bad = (detail: string, fix: string) => ['bad-request', detail, fix] as const
  const capitals = method?.toUpperCase() ?? ''
  const [version] = /HTTP\/(?!1\.[01]$)[\d.]+$/.exec(line) ?? []
  const isOdd = code === 'HPE_INVALID_URL' || !/^\S+ \S+ HTTP\/1\.\d$/.test(line)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [
      'request-timeout',
      'The request did not arrive in time.',
      'Send its head within 8 seconds, and all of it within 5 minutes.',
    ] as const
  if (code === 'HPE_HEADER_OVERFLOW')
    return [
      'headers-too-large',
      'The request head is larger than 16 KB.',
      'Send fewer or shorter headers, cookies among them.',
    ] as const
  if (code === CUT_OFF)
    return bad('The connection ended within the request head.', 'Send the whole head, and an empty line.')
  if (isTls) return bad('This is https, but the server uses http.', 'Call http://, or set --tls-cert and --tls-key.')
  if (code === 'ERR_SSL_HTTP_REQUEST') return bad('This is http, but the server uses https.', 'Call https://.')
  if (/^ERR_SSL_.*(?:VERSION|PROTOCOL|CIPHER|PACKET|RECORD)/.test(code))
    return bad('This server requires TLS 1.2 or newer.', 'Use a client with TLS 1.2 or newer.')
  if (code.startsWith('ERR_SSL_'))
    return bad('The TLS handshake failed.', 'Make the client trust the certificate; in Node, set NODE_EXTRA_CA_CERTS.')
  if (isInBody) return bad('The chunks of the body cannot be read.', 'Send the body with its Content-Length.')
  if (method !== null && method !== capitals && METHODS.includes(capitals))
    return bad(`The method ${quote(method)} must be in upper case.`, `Write it in capitals: ${capitals}.`)
  if (version !== undefined) return bad(`The request is in ${version}.`, 'Use HTTP/1.1.')
  if (isRest && hasLength)
    return bad('The body of the previous request was longer than its Content-Length.', 'Count bytes, not characters.')
  if (isRest) return bad('The previous request had a body without Content-Length.', 'Send its length in bytes.')
  if (method !== null && code === 'HPE_INVALID_METHOD')
    return bad(`The method ${quote(method)} is unknown.`, 'Use GET, HEAD, POST, PUT, PATCH or DELETE.')
  if (/^[A-Z]+ +[^ /*]/.test(line)) return bad('The URL begins without a slash.', 'Begin the path with a slash.')
  if (method !== null && path !== null && isOdd)
    return bad(
      'The URL has blanks, control characters, or characters beyond ASCII.',
      'Encode each part of path and query with encodeURIComponent.',
    )
  if (/CONTENT_LENGTH|TRANSFER_ENCODING/.test(code))
    return bad(
      'Content-Length or Transfer-Encoding cannot be read, or they contradict each other.',
      'Send only one of them.',
    )
  if (/HEADER|(CR|LF)_EXPECTED/.test(code))
    return bad(
      'A header value contains a line break or another control character, or a header name contains a space.',
      'Remove that character; tokens often end with a line break.',
    )
  return bad(`The request is not well-formed HTTP: ${reason}.`, 'Send it with an HTTP client such as curl or fetch.')
}

/** The answer to a request that stops being readable in its body. */
function answerOf(problem: Problem): Answer {
  const { code, status, message, responseHeaders, violation } = problem
  // No preference was read, so no test can expect it.
  const violations = violation === undefined ? [] : [{ ...violation, code: 'unreadable-request' }]
  const decided = { step: 'routing', cause: 'natural', why: message, violations }
  return { kind: 'problem', code, status, headers: responseHeaders, ...NO_EFFECTS, ...decided }
}

/** Enters the request in the journal of the sandbox that its path names, or else of the root. */
function addToJournal(problem: Problem, sent: RequestLine, sandboxes: Sandboxes): void {
  const { status, responseHeaders, body } = problem
  const name = sent.path === null ? undefined : sandboxNameIn(sent.path)
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
      method: sent.method ?? '',
      url: sent.path ?? '',
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
