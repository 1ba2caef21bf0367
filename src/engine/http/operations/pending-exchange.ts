import type { ServerResponse } from 'node:http'
import type { FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import type { Contract } from '../../contract/contract.js'
import { groupBy } from '../../contract/group-by.js'
import type { Answer, Exchange, Headers, KeptAnswer, TestName } from '../../journal/exchange.js'
import { EMPTY_ANSWER, keepAnswer, keepRequest } from '../../journal/exchange.js'
import type { PendingExchange } from '../../journal/journal.js'
import { announcesBody, type KeptRequest, type ReceivedRequest } from '../../judge/received-request.js'
import { tokenIn } from '../../judge/token.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import type { Sandboxes } from '../../sandbox/sandboxes.js'
import { findHostProblem } from '../loopback.js'
import { Problem } from '../problems.js'
import { type ChosenSandbox, chooseSandbox, isDecodable } from '../sandbox-of.js'

export interface OutgoingAnswer {
  readonly answer: Answer
  readonly headers: Headers
}

export class PendingHttpExchange implements PendingExchange {
  id: string
  readonly at: number
  readonly test: TestName
  readonly started = performance.now()
  received = 0
  receivedRequest: ReceivedRequest | null = null
  #keptRequest: KeptRequest | null = null
  outgoing: OutgoingAnswer | null = null
  isEnded = false
  isBeforeReset = false

  constructor(
    readonly request: FastifyRequest,
    readonly sandbox: Sandbox,
    readonly sandboxBy: ChosenSandbox['sandboxBy'],
    readonly contract: Contract | null,
  ) {
    this.id = sandbox.journal.nextId()
    this.at = sandbox.clock.now()
    this.test = sandbox.test
  }

  /** For a body that ends after a reset: the request will find, and may change, the new state. */
  beginAgain(): void {
    this.id = this.sandbox.journal.nextId()
    this.isBeforeReset = false
    this.sandbox.journal.begin(this)
  }

  snapshot(): Exchange {
    return this.#toExchange(EMPTY_ANSWER, null)
  }

  /** `status` is null if the client gets no answer. */
  end({ answer, headers }: OutgoingAnswer, status: number | null, text: string | null): void {
    this.#end(keepAnswer(answer, headers, text), status)
  }

  /** Ends without an answer, or with the fault that was decided. */
  abort(): void {
    if (this.isEnded) return
    if (this.outgoing?.answer.kind === 'fault') return this.end(this.outgoing, null, null)
    const { step, cause, rule, violations, isUnjudged, effects, mails } =
      this.outgoing === null ? EMPTY_ANSWER : keepAnswer(this.outgoing.answer, {}, null)
    const why = 'aborted: the connection ended before the answer'
    this.#end({ ...EMPTY_ANSWER, step, cause, rule, why, violations, isUnjudged, effects, mails }, null)
  }

  /** Drops what the journal does not show: delayed exchanges, and the last one of each connection, stay in memory. */
  releaseBody(): void {
    this.#keptRequest ??= keepRequest(this.receivedRequest ?? toReceivedRequest(this))
    this.receivedRequest = null
    const { request } = this
    request.body = undefined
    // Its errors contain the values.
    delete request.validationError
  }

  #end(answer: KeptAnswer, status: number | null): void {
    this.isEnded = true
    const { sandbox } = this
    this.releaseBody()
    sandbox.journal.end(this)
    const exchange = this.#toExchange(answer, status)
    if (!this.isBeforeReset) sandbox.journal.add(exchange)
    sandbox.events.emit('exchange', exchange, sandbox)
  }

  #toExchange(answer: KeptAnswer, status: number | null): Exchange {
    const { id, at, sandbox, sandboxBy, test, contract, started, isBeforeReset } = this
    return {
      id,
      at,
      sandbox: sandbox.name,
      sandboxBy,
      test,
      contract,
      request: this.#keptRequest ?? keepRequest(this.receivedRequest ?? toReceivedRequest(this)),
      answer,
      status,
      duration: Math.round((performance.now() - started) * 1_000) / 1_000,
      isBeforeReset,
    }
  }
}

export function exchangeOf({ exchange }: FastifyRequest): PendingHttpExchange {
  if (exchange === null) throw new Error('The exchange has not begun.')
  return exchange
}

export const lastExchangeBySocket = new WeakMap<object, PendingHttpExchange>()
export const lastResponseBySocket = new WeakMap<object, ServerResponse>()

export function beginExchange(sandboxes: Sandboxes): onRequestHookHandler {
  return (request, reply, done) => {
    let error = findHeadProblem(request)
    const contract = (error === undefined && request.routeOptions.config.operation?.contract) || null
    let chosen: ChosenSandbox = { sandbox: sandboxes.root, sandboxBy: null }
    try {
      chosen = chooseSandbox(request, contract, sandboxes)
    } catch (problem) {
      error ??= problem as Problem
    }
    const { sandbox, sandboxBy } = chosen
    const exchange = new PendingHttpExchange(request, sandbox, sandboxBy, contract)
    request.exchange = exchange
    lastExchangeBySocket.set(request.raw.socket, exchange)
    lastResponseBySocket.set(request.raw.socket, reply.raw)
    sandbox.journal.begin(exchange)
    sandbox.events.emit('begin', exchange, sandbox)
    // Setting `request.headers` adds to the headers.
    const { 'content-type': type = request.method === 'QUERY' ? '' : undefined } = request.headers
    if (type !== undefined && !MEDIA_TYPE.test(type)) request.headers = { 'content-type': 'application/octet-stream' }
    // Does nothing after an answer.
    reply.raw.once('close', () => exchange.abort())
    done(error)
  }
}

/** Fastify rejects other Content-Types, and a QUERY without one: here, they are violations. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

function findHeadProblem({ originalUrl, raw }: FastifyRequest): Problem | undefined {
  if (!isDecodable(originalUrl))
    return new Problem('bad-url', `The URL cannot be decoded. ${ENCODE_URL}`).withViolation('url', ENCODE_URL)
  const isEachSentOnce = raw.rawHeaders.length === Object.keys(raw.headers).length * 2
  return isEachSentOnce && raw.headers.host !== undefined ? undefined : findHostProblem(raw)
}

export const ENCODE_URL = 'Encode each part of path and query with encodeURIComponent.'

/** Ends the exchange before the answer is sent, so that the client finds it in the journal. */
export const endOnSend: onSendHookHandler = ({ exchange }, reply, payload, done) => {
  if (exchange?.outgoing && !exchange.isEnded) {
    const { answer, headers } = exchange.outgoing
    const isForwarded = answer.kind === 'forwarded'
    // Fastify adds a content type to bytes.
    if (isForwarded && headers['content-type'] === undefined) reply.removeHeader('content-type')
    const text = payload === undefined || payload === null ? null : isForwarded ? answer.text : String(payload)
    exchange.end(exchange.outgoing, reply.statusCode, text)
  }
  done()
}

export type ReceivedBody = Pick<ReceivedRequest, 'form' | 'text' | 'unreadable' | 'bytes' | 'recoveredForm'>

export const NO_BODY: ReceivedBody = { form: null, text: null, unreadable: null, bytes: null, recoveredForm: null }

export function toReceivedRequest(
  { request, contract, sandbox }: PendingHttpExchange,
  query: ReceivedRequest['query'] = {},
  preferences: ReceivedRequest['preferences'] = null,
  body = NO_BODY,
): ReceivedRequest {
  const { method, originalUrl: url } = request
  const headers = readHeaders(request)
  const params = contract === null ? {} : (request.params as Record<string, string>)
  const { token, tokenHeader } = readToken(request.headers, contract, sandbox)
  const isCut = request.raw.complete === false && announcesBody(request)
  return { method, url, headers, params, query, preferences, token, tokenHeader, ...body, isCut }
}

/** Node joins repeated headers, and drops a repeated token: here they become lists. */
function readHeaders({ raw }: FastifyRequest): ReceivedRequest['headers'] {
  const { headers, rawHeaders } = raw
  if (rawHeaders.length === Object.keys(headers).length * 2) return headers
  // `headersDistinct` is slow, and in Node 20.19 fails on a header `__proto__`.
  const nameIndexes = [...rawHeaders.keys()].filter((index) => index % 2 === 0)
  const indexesByName = groupBy(nameIndexes, (index) => (rawHeaders[index] as string).toLowerCase())
  const repeated = Array.from(indexesByName)
    .map(([name, indexes]) => [name, indexes.map((index) => rawHeaders[index + 1] as string)] as const)
    .filter(([name, values]) => values.length > 1 && (headers[name] === values.join(', ') || name === 'authorization'))
  return { ...headers, ...Object.fromEntries(repeated) }
}

function readToken(headers: ReceivedRequest['headers'], contract: Contract | null, sandbox: Sandbox) {
  const tokenHeaders = contract?.tokenHeaders ?? sandbox.api.conventions.tokenHeaders.slice(0, 1)
  const header = tokenHeaders.find(({ name }) => headers[name] !== undefined) ?? tokenHeaders[0]
  const value = header && headers[header.name]
  const token = header && value && tokenIn(header, value)
  return { token: token ? sandbox.withoutSuffix(token) : undefined, tokenHeader: header?.name ?? '' }
}
