import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Agent, type Dispatcher, RetryAgent, type RetryHandler } from 'undici'
import { type Contract, fillPath } from '../../schemas/contract.js'
import { isGatewayStatus } from '../../schemas/gateway.js'
import { jsonOr } from '../text/json.js'
import { REDACTED } from '../text/redacted.js'
import type { Call, FilePart, Token } from './calls.js'
import { whyNotConnected } from './connection-failures.js'

/** Where a provider is, as whom it is called, and how patiently. */
export interface Target {
  /** The base URL, without a slash at its end. */
  readonly url: string
  readonly token: string
  /** The token of a user who may not manage sub-organization members. */
  readonly tokenWithoutPermission?: string
  /** Sent with every call, beside those that the API asks for. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds to wait for a connection, for an answer's head, and for each further piece of its body. */
  readonly timeout: number
  /** How often a call is sent again while the service is unavailable. */
  readonly retries: number
}

export interface Answer {
  readonly call: Call
  readonly status: number
  readonly contentType: string
  /** Where a redirect leads; it is not followed. */
  readonly location: string | null
  readonly retryAfter: string | null
  readonly text: string
  /** The body as JSON; undefined for anything else. */
  readonly body: unknown
}

/** The service, or one of its operations, cannot be judged. */
export class Unavailable extends Error {
  /** Whether nothing else needs to be tried. */
  readonly wholly: boolean

  constructor(message: string, wholly: boolean) {
    super(message)
    this.wholly = wholly
  }
}

/** The result of a promise; undefined where an operation is unavailable. */
export async function unlessUnavailable<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Unavailable && !error.wholly) return undefined
    throw error
  }
}

/** Operations that are unavailable one after the other before the service counts as down. */
const MOST_IN_A_ROW = 3
const LONGEST_BODY = 16 * 1024 * 1024
const LONGEST_RETRY_AFTER = 60_000
const TRANSIENT_ERRORS = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/
const RETRIED: readonly number[] = [429, 502, 503, 504]

/** Sends calls: equal ones once, and those that find the service unavailable again. */
export class Client {
  readonly #target: Target
  readonly #redact: (text: string) => string
  readonly #patient: Dispatcher
  readonly #insistent: Dispatcher
  readonly #answers = new Map<string, Promise<Answer>>()
  readonly #down = new Map<string, Unavailable>()
  #inARow = 0
  #reached = false

  constructor(target: Target) {
    const { timeout, retries } = target
    this.#target = target
    this.#redact = redactor(secretsOf(target))
    const agent = new Agent({ connect: { timeout }, headersTimeout: timeout, bodyTimeout: timeout })
    this.#patient = retrying(agent, retries, RETRIED, LONGEST_RETRY_AFTER)
    this.#insistent = retrying(agent, 7, [...RETRIED, 500], 10_000)
  }

  /** @throws {Unavailable} where there is no answer, or only a gateway's */
  send(call: Call): Promise<Answer> {
    const { contract, token, params, query, form, again = 0 } = call
    const key = JSON.stringify([contract.id, token, params, query, form, again])
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const answer = this.#send(call)
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
    const answers = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    return answers.filter(({ call }) => call.contract.id === id)
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
    const why = 'problem' in answer ? answer.problem : whyUnavailable(answer)
    if (why === undefined) {
      this.#inARow = 0
      this.#reached = true
      return answer as Answer
    }
    this.#inARow++
    const wholly = 'problem' in answer && (!answer.reached || !this.#reached)
    const unavailable = new Unavailable(this.#redact(why), wholly || this.#inARow >= MOST_IN_A_ROW)
    this.#down.set(id, unavailable)
    throw unavailable
  }

  async #ask(call: Call, dispatcher: Dispatcher): Promise<Answer | NoAnswer> {
    const { contract, params, query, token } = call
    const url = new URL(`${this.#target.url}${fillPath(contract, (name) => params[name] ?? '')}`)
    const place = url.href
    url.search = new URLSearchParams(query).toString()
    const form = call.form && new Response(await formData(call.form))
    const headers = new Headers([...this.#target.headers.map(([name, value]): [string, string] => [name, value])])
    if (!headers.has('accept')) headers.set('accept', 'application/json')
    if (token !== null) headers.set(token.header, tokenIn(token, this.#target))
    if (form !== null) headers.set('content-type', form.headers.get('content-type') ?? '')
    try {
      const response = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: contract.method,
        headers: Object.fromEntries(headers),
        body: form && Buffer.from(await form.arrayBuffer()),
      })
      const header = (name: string) => [response.headers[name]].flat()[0] ?? null
      const location = header('location')
      // Readers may ignore a byte order mark (RFC 8259, section 8.1). The provider may repeat the token.
      const text = this.#redact((await bodyOf(response)).toString().replace(/^\uFEFF/, ''))
      return {
        call,
        status: response.statusCode,
        contentType: this.#redact(header('content-type') ?? ''),
        location: location && this.#redact(URL.canParse(location, place) ? new URL(location, place).href : location),
        retryAfter: header('retry-after'),
        text,
        body: jsonOr(text, undefined),
      }
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
async function bodyOf({ body, headers }: Dispatcher.ResponseData): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > LONGEST_BODY) throw new RangeError('the body is too long')
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  return DECODERS[String(headers['content-encoding'])]?.(bytes) ?? bytes
}

function tokenIn({ header, whose }: Token, { token, tokenWithoutPermission = '' }: Target): string {
  const tokens = {
    user: token,
    invalid: 'countersign-wrong-token',
    empty: '',
    'without permission': tokenWithoutPermission,
  }
  return header === 'authorization' ? `Bearer ${tokens[whose]}` : tokens[whose]
}

async function formData(form: NonNullable<Call['form']>): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(form))
    data.set(name, typeof value === 'string' ? value : await fileOf(value))
  return data
}

async function fileOf({ content, name, mediaType }: FilePart): Promise<File> {
  const bytes = typeof content === 'string' ? await readFile(content) : content
  return new File([bytes as Uint8Array<ArrayBuffer>], name, { type: mediaType })
}

function secretsOf({ token, tokenWithoutPermission = '', headers }: Target): string[] {
  return [token, tokenWithoutPermission, ...headers.map(([, value]) => value)].filter((secret) => secret !== '')
}

/** Takes secrets out of a text, also as JSON and URLs write them; a short one only where it stands alone. */
function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)])
  const patterns = [...new Set(forms)]
    .sort((one, other) => other.length - one.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .map((form) => (form.length < 6 ? `(?<![\\w-])${form}(?![\\w-])` : form))
  const pattern = new RegExp(patterns.join('|'), 'gi')
  return (text) => text.replace(pattern, REDACTED)
}

/** Why an answer is not the service's own; undefined where it is. 500 is the service's own failure. */
function whyUnavailable({ status, retryAfter, call: { contract } }: Answer): string | undefined {
  if (status === 500 || !isGatewayStatus(contract, status)) return undefined
  const wait = retryAfter === null ? '' : ` (Retry-After: ${retryAfter})`
  const remedy = status === 429 ? 'verify more slowly or later' : 'check whether the provider is up'
  return `${contract.id} is unavailable: it answers with ${status}${wait}. Try again, or ${remedy}.`
}

interface NoAnswer {
  readonly problem: string
  /** Whether something that speaks HTTP is there, so that other calls may be answered. */
  readonly reached: boolean
}

type Failure = Error & { readonly code?: string; readonly errors?: readonly { readonly code?: string }[] }

function whyNot(error: Failure, place: string, { url, timeout }: Target): NoAnswer {
  const code = error.code ?? error.errors?.[0]?.code ?? ''
  if (error instanceof RangeError)
    return {
      problem: `The answer from '${place}' has no end, or is far too long for this API. Correct --target.`,
      reached: true,
    }
  if (/TIMEOUT/.test(code)) {
    const problem = `'${place}' did not answer within ${timeout / 1_000} s. Check whether the provider is up and not behind a firewall, or allow more time with --timeout MS.`
    return { problem, reached: true }
  }
  if (/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(code)) {
    const problem = `'${place}' closed the connection before its answer was complete. Check the provider's log.`
    return { problem, reached: true }
  }
  const unconnected = whyNotConnected(code, { url: place, hostname: new URL(url).hostname, option: '--target' })
  if (unconnected !== undefined) return { problem: unconnected.message, reached: false }
  const isNoHttp = error.name === 'HTTPParserError' || /^HPE_/.test(code)
  const why = isNoHttp
    ? `The answer from '${place}' is not valid HTTP`
    : `'${place}' cannot be called: ${error.message}`
  return { problem: `${why}. Correct --target.`, reached: false }
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
