import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'
import { quote } from '../contract/wording.js'
import { type Answer, type Exchange, keepAnswer, NO_EFFECTS } from '../journal/exchange.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { isWithinBody, NO_BODY, unfinishedOn } from './api/exchange.js'
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
    const sent = sentIn(error)
    const problem = problemOf(error, sent, socket.bytesWritten > 0)
    // The exchange of a head that came together with what cannot be read begins after this.
    setImmediate(() => {
      const unfinished = unfinishedOn(socket)
      if (unfinished === undefined) addToJournal(problem, sent, sandboxes)
      else unfinished.end({ answer: answerOf(problem), headers: problem.responseHeaders }, problem.status, problem.body)
    })
    if (!socket.writable) return void socket.destroy()
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

/** As much of a request's first line as can be read; the path without a query, which may hold secrets. */
interface Sent {
  readonly method: string | null
  readonly path: string | null
  readonly line: string
  readonly isTls: boolean
  /** It came behind a request that was whole. */
  readonly isBehind: boolean
}

/** Characters of a first line that are looked at. */
const LONGEST_LINE = 2_000

function sentIn({ code, rawPacket }: ConnectionError): Sent {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0)
  const text = packet.toString('latin1', 0, LONGEST_LINE)
  const [line = ''] = text.split(/\r?\n/, 1)
  const parts = /^([A-Za-z]{3,20}) +(\/[^ ?#]*)/.exec(line) ?? []
  const isBehind = code === 'HPE_INVALID_METHOD' && METHODS.includes(parts[1] ?? '')
  // What came behind a whole request is no part of it.
  const [, method = null, path = null] = isBehind ? [] : parts
  return { method, path, line, isTls: packet[0] === TLS_HANDSHAKE, isBehind }
}

/** The first byte of every TLS connection. */
const TLS_HANDSHAKE = 0x16

function problemOf({ code, message }: ConnectionError, sent: Sent, hasAnswered: boolean): Problem {
  const { method, path, line, isTls, isBehind } = sent
  const unreadable = (detail: string, fix: string) => new Problem('bad-request', `${detail} ${fix}`).at('request', fix)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const fix = 'Send its head within 8 seconds, and all of it within 5 minutes.'
    return new Problem('request-timeout', `The request did not arrive in time. ${fix}`).at('request', fix)
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const fix = 'Send fewer or shorter headers, cookies among them.'
    return new Problem('headers-too-large', `The request head is larger than 16 KB. ${fix}`).at('request', fix)
  }
  if (code === CUT_OFF)
    return unreadable('The connection ended within the request head.', 'Send the whole head, and an empty line.')
  if (isTls)
    return unreadable('This is https, and the server speaks http.', 'Call http://, or set --tls-cert and --tls-key.')
  if (code === 'ERR_SSL_HTTP_REQUEST') return unreadable('This is http, and the server speaks https.', 'Call https://.')
  if (code?.startsWith('ERR_SSL_'))
    return unreadable(
      'The TLS handshake failed.',
      'Make the client trust the certificate: NODE_EXTRA_CA_CERTS does in Node.',
    )
  const capitals = method?.toUpperCase() ?? ''
  if (method !== null && method !== capitals && METHODS.includes(capitals))
    return unreadable(`The method is ${quote(method)}.`, `Write it in capitals: ${capitals}.`)
  const [version] = /HTTP\/(?!1\.[01]$)[\d.]+$/.exec(line) ?? []
  if (version !== undefined) return unreadable(`The request is in ${version}.`, 'Use HTTP/1.1.')
  if (method !== null && path !== null && (code === 'HPE_INVALID_URL' || !/^\S+ \S+ HTTP\/1\.\d$/.test(line)))
    return unreadable(
      'The URL has blanks, control characters, or characters beyond ASCII.',
      'Encode each part of path and query with encodeURIComponent.',
    )
  if (isBehind || (method === null && hasAnswered))
    return unreadable(
      'The body of the previous request was longer than its Content-Length.',
      'Count bytes, not characters.',
    )
  if (/CONTENT_LENGTH|TRANSFER_ENCODING/.test(code ?? ''))
    return unreadable(
      'Content-Length or Transfer-Encoding cannot be read, or they contradict each other.',
      'Send one of them, or neither.',
    )
  if (/HEADER|(CR|LF)_EXPECTED/.test(code ?? ''))
    return unreadable(
      'A header contains a line end or another control character, or its name a blank.',
      'Remove it; tokens often end with a line break.',
    )
  return unreadable(`The request is not well-formed HTTP: ${message}.`, 'Use a client that writes HTTP/1.1.')
}

/** The answer to a request that stops being readable in its body. */
function answerOf(problem: Problem): Answer {
  const { code, status, message, responseHeaders, violation } = problem
  // No preference was read, so no test can expect it.
  const violations = violation === undefined ? [] : [{ ...violation, code: 'unreadable-request' }]
  const decided = { step: 'routing', cause: 'natural', why: message, violations, playing: null }
  return { kind: 'problem', code, status, headers: responseHeaders, ...NO_EFFECTS, ...decided }
}

/** Enters the request in the journal of the sandbox that its path names, or else of the root. */
function addToJournal(problem: Problem, sent: Sent, sandboxes: Sandboxes): void {
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
      form: null,
      meantForm: null,
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
    isPast: false,
  }
  sandbox.journal.add(exchange)
  sandbox.events.emit('exchange', exchange, sandbox)
}
