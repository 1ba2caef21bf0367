import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Agent, type Dispatcher, RetryAgent, type RetryHandler } from 'undici'
import { type Contract, fillPath } from '../../schemas/contract.js'
import { isGatewayStatus } from '../../schemas/gateway.js'
import { jsonOr } from '../text/json.js'
import { type Redact, redactor } from '../text/redacted.js'
import type { Call, Token } from './calls.js'
import { whyNotConnected } from './connection-failures.js'

/** Where a provider is, as whom it is called, and how patiently. */
export interface Target {
  /** The base URL, without a slash at its end. */
  readonly url: string
  readonly token: string
  /** The token of a user who may not manage sub-organization members. */
  readonly tokenWithoutPermission?: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds to wait for a connection, for an answer's head, and for its body. */
  readonly timeout: number
  /** How often a call is sent again while the service is unavailable. */
  readonly retries: number
}

export interface Answer {
  readonly call: Call
  readonly status: number
  readonly contentType: string
  /** Where a redirect leads; it is not followed. */
  readonly location: string
  readonly retryAfter: string
  readonly text: string
  /** The body as JSON; undefined for anything else. */
  readonly body: unknown
}

/** The service, or one of its operations, cannot be judged; `wholly` if nothing else needs to be tried. */
export class Unavailable extends Error {
  readonly wholly: boolean

  constructor(message: string, wholly: boolean) {
    super(message)
    this.wholly = wholly
  }
}

/** Operations that are unavailable one after the other before the service counts as down. */
const MOST_IN_A_ROW = 3
const LONGEST_BODY = 16 * 1024 * 1024
const RETRIED: readonly number[] = [429, 502, 503, 504]
const TRANSIENT_ERRORS = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/

/** Sends calls: equal ones once, and those that find the service unavailable again. */
export class Client {
  readonly #target: Target
  readonly #redact: Redact
  readonly #patient: Dispatcher
  readonly #insistent: Dispatcher
  readonly #answers = new Map<string, Promise<Answer>>()
  readonly #down = new Map<string, Unavailable>()
  #inARow = 0
  #reached = false

  constructor(target: Target) {
    const { timeout, retries } = target
    this.#target = target
    const { token, tokenWithoutPermission = '', headers } = target
    this.#redact = redactor([token, tokenWithoutPermission, ...headers.map(([, value]) => value)])
    const agent = new Agent({ connect: { timeout }, headersTimeout: timeout, bodyTimeout: timeout })
    this.#patient = retrying(agent, retries, RETRIED, 60_000)
    this.#insistent = retrying(agent, 7, [...RETRIED, 500], 10_000)
  }

  /** @throws {Unavailable} where there is no answer, or only a gateway's */
  send(call: Call): Promise<Answer> {
    const { contract, ...others } = call
    const key = JSON.stringify([contract.id, { again: 0, ...others }])
    const answer = this.#answers.get(key) ?? this.#send(call)
    // Avoid an unhandledRejection.
    answer.catch(() => {})
    this.#answers.set(key, answer)
    return answer
  }

  isTarget(url: string): boolean {
    return url === this.#target.url
  }

  async answersOf({ id }: Contract): Promise<readonly Answer[]> {
    const all = await Promise.allSettled(this.#answers.values())
    return all.flatMap((one) => (one.status === 'fulfilled' && one.value.call.contract.id === id ? [one.value] : []))
  }

  /** Sends a call that restores something, for about a minute until it succeeds; undefined without an answer. */
  async insist(call: Call): Promise<Answer | undefined> {
    const answer = await this.#ask(call, this.#insistent)
    return 'problem' in answer ? undefined : answer
  }

  async #send(call: Call): Promise<Answer> {
    const { id } = call.contract
    const down = this.#down.get(id)
    if (down !== undefined) throw down
    const answer = await this.#ask(call, this.#patient)
    const noAnswer = 'problem' in answer ? answer : gatewayProblem(answer)
    if (noAnswer === undefined) {
      this.#inARow = 0
      this.#reached = true
      return answer as Answer
    }
    const wholly = noAnswer.wholly || ('problem' in answer && !this.#reached) || ++this.#inARow >= MOST_IN_A_ROW
    const unavailable = new Unavailable(this.#redact(noAnswer.problem), wholly)
    this.#down.set(id, unavailable)
    throw unavailable
  }

  async #ask(call: Call, dispatcher: Dispatcher): Promise<Answer | NoAnswer> {
    const { contract, params, query, token } = call
    const place = `${this.#target.url}${fillPath(contract, (name) => params[name] ?? '')}`
    const { origin, pathname } = new URL(place)
    const form = call.form && new Response(await formData(call.form))
    const headers = new Headers({ accept: 'application/json' })
    for (const [name, value] of this.#target.headers) headers.set(name, value)
    if (token !== null) headers.set(token.header, tokenIn(token, this.#target))
    if (form !== null) headers.set('content-type', form.headers.get('content-type') ?? '')
    try {
      const response = await dispatcher.request({
        origin,
        path: `${pathname}?${new URLSearchParams(query)}`.replace(/\?$/, ''),
        method: contract.method,
        headers: Object.fromEntries(headers),
        body: form && Buffer.from(await form.arrayBuffer()),
      })
      // The provider may repeat the token.
      const header = (name: string) => this.#redact(String(response.headers[name] ?? ''))
      // Readers may ignore a byte order mark (RFC 8259, section 8.1).
      const text = this.#redact((await bodyOf(response, this.#target.timeout)).toString().replace(/^\uFEFF/, ''))
      const [status, contentType, retryAfter] = [response.statusCode, header('content-type'), header('retry-after')]
      const to = header('location')
      const location = to !== '' && URL.canParse(to, place) ? new URL(to, place).href : to
      return { call, status, contentType, location, retryAfter, text, body: jsonOr(text, undefined) }
    } catch (error) {
      return whyNot(error as Failure, place, this.#target)
    }
  }
}

/** Retries what may pass by itself, unless the service asks for more patience than that. */
function retrying(agent: Agent, maxRetries: number, statuses: readonly number[], maxTimeout: number): RetryAgent {
  const retry: RetryHandler.RetryCallback = (error, { state: { counter } }, done) => {
    const {
      statusCode,
      code = '',
      headers,
    } = error as Error & {
      code?: string
      statusCode?: number
      headers?: Readonly<Record<string, string>>
    }
    const passes = statusCode === undefined ? TRANSIENT_ERRORS.test(code) : statuses.includes(statusCode)
    const pause = millisecondsOf(headers?.['retry-after']) ?? Math.min(250 * 2 ** (counter - 1), maxTimeout)
    if (!passes || counter > maxRetries || pause > maxTimeout) done(error)
    else setTimeout(done, pause, null)
  }
  return new RetryAgent(agent, { retry, throwOnError: false })
}

/** Seconds, or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function millisecondsOf(retryAfter = ''): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** @throws {RangeError} for a body that is too long for an answer of this API, or has no end */
async function bodyOf({ body, headers }: Dispatcher.ResponseData, timeout: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const end = performance.now() + timeout
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > LONGEST_BODY || performance.now() > end) throw new RangeError('the body is too long')
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  return DECODERS[String(headers['content-encoding'])]?.(bytes) ?? bytes
}

function tokenIn({ header, whose }: Token, { token, tokenWithoutPermission = '' }: Target): string {
  const tokens = { user: token, 'without permission': tokenWithoutPermission, invalid: 'wrong-token', empty: '' }
  return header === 'authorization' ? `Bearer ${tokens[whose]}` : tokens[whose]
}

async function formData(form: NonNullable<Call['form']>): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.set(name, value)
    else {
      const bytes = typeof value.content === 'string' ? await readFile(value.content) : value.content
      data.set(name, new File([bytes as Uint8Array<ArrayBuffer>], value.name, { type: value.mediaType }))
    }
  }
  return data
}

interface NoAnswer {
  readonly problem: string
  /** Whether other calls need not be tried. */
  readonly wholly: boolean
}

/** Why an answer is not the service's own; undefined where it is. 500 is the service's own failure. */
function gatewayProblem({ status, retryAfter, call: { contract } }: Answer): NoAnswer | undefined {
  if (status === 500 || !isGatewayStatus(contract, status)) return undefined
  const wait = retryAfter === '' ? '' : ` (Retry-After: ${retryAfter})`
  const remedy = status === 429 ? 'verify more slowly or later' : 'check whether the provider is up'
  const problem = `${contract.id} is unavailable: it answers with ${status}${wait}. Try again, or ${remedy}.`
  return { problem, wholly: false }
}

type Failure = Error & { readonly code?: string }

function whyNot(error: Failure, place: string, { url, timeout }: Target): NoAnswer {
  const { code = '' } = error
  const unconnected = whyNotConnected(code, { url: place, hostname: new URL(url).hostname, option: '--target' })
  const isClosed = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(code)
  let problem = `'${place}' cannot be called: ${error.message}. Correct --target.`
  if (error instanceof RangeError)
    problem = `The answer from '${place}' has no end, or is far too long for this API. Correct --target.`
  else if (/TIMEOUT/.test(code))
    problem = `'${place}' did not answer within ${timeout / 1_000} s. Check whether the provider is up and not behind a firewall, or allow more time with --timeout MS.`
  else if (isClosed)
    problem = `'${place}' closed the connection before its answer was complete. Check the provider's log.`
  else if (unconnected !== undefined) problem = unconnected.message
  else if (error.name === 'HTTPParserError' || /^HPE_/.test(code))
    problem = `The answer from '${place}' is not valid HTTP. Correct --target.`
  return { problem, wholly: !(error instanceof RangeError || isClosed || /TIMEOUT/.test(code)) }
}

/** Waits up to some seconds until something answers that is not a gateway of a service that is down. */
export async function waitUntilUp({ url, timeout }: Target, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    const left = Math.max(1, Math.ceil(Math.min(timeout, end - performance.now())))
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(left) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response !== undefined && (response.status < 502 || response.status > 504)) return
    await sleep(250)
  }
}
