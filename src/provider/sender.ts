import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Contract, fillPath, isGatewayStatus } from '../../schemas/contract.js'
import { jsonOr } from '../text/json.js'
import { type Redact, redactor } from '../text/redacted.js'
import type { Call, Token } from './calls.js'
import { ProviderClient, type Retry } from './client.js'
import { decodeBody } from './decode-body.js'
import { Unanswered } from './failures.js'

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
export class Sender {
  readonly #target: Target
  readonly #redact: Redact
  readonly #client: ProviderClient
  readonly #answers = new Map<string, Promise<Answer>>()
  readonly #received: Answer[] = []
  readonly #down = new Map<string, Unavailable>()
  #inARow = 0

  constructor(target: Target) {
    const { timeout, retries, token, tokenWithoutPermission = '', headers } = target
    this.#target = target
    this.#redact = redactor([token, tokenWithoutPermission, ...headers.map(([, value]) => value)])
    this.#client = new ProviderClient({
      option: '--target',
      timeouts: { connect: timeout, idle: timeout },
      retry: retrying(retries, RETRIED, 60_000),
      longest: LONGEST_BODY,
    })
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

  answersOf({ id }: Contract): readonly Answer[] {
    return this.#received.filter(({ call }) => call.contract.id === id)
  }

  /** Sends a call that restores something, for about a minute until it succeeds; undefined without an answer. */
  async insist(call: Call): Promise<Answer | undefined> {
    return this.#ask(call, retrying(7, [...RETRIED, 500], 10_000)).catch(() => undefined)
  }

  async #send(call: Call): Promise<Answer> {
    const { id } = call.contract
    const down = this.#down.get(id)
    if (down !== undefined) throw down
    const answer = await this.#ask(call).catch((error) => {
      if (error instanceof Unanswered) return error
      throw error
    })
    const problem = answer instanceof Unanswered ? answer.message : gatewayProblem(answer)
    if (problem === undefined) {
      this.#inARow = 0
      this.#received.push(answer as Answer)
      return answer as Answer
    }
    const isDown = answer instanceof Unanswered && !(this.#received.length > 0 && (answer.taken || answer.timedOut))
    const unavailable = new Unavailable(this.#redact(problem), isDown || ++this.#inARow >= MOST_IN_A_ROW)
    this.#down.set(id, unavailable)
    throw unavailable
  }

  /** @throws {Unanswered} */
  async #ask(call: Call, retry?: Retry): Promise<Answer> {
    const { contract, params, query, token } = call
    const url = `${this.#target.url}${fillPath(contract, (name) => params[name] ?? '')}`
    const form = call.form && new Response(await formData(call.form))
    const headers = new Headers({ accept: 'application/json' })
    for (const [name, value] of this.#target.headers) headers.set(name, value)
    if (token !== null) headers.set(token.header, tokenIn(token, this.#target))
    if (form !== null) headers.set('content-type', form.headers.get('content-type') ?? '')
    const answer = await this.#client.ask(
      url,
      {
        method: contract.method,
        path: `?${new URLSearchParams(query)}`.replace(/\?$/, ''),
        headers: [...headers].flat(),
        body: form && Buffer.from(await form.arrayBuffer()),
      },
      retry,
    )
    // The provider may repeat the token.
    const header = (name: string) => this.#redact(String(answer.headers[name] ?? ''))
    const { text: decoded, unread } = decodeBody(answer.bytes, header('content-encoding'))
    if (unread !== undefined)
      throw new Unanswered(`The answer from '${url}' cannot be read: ${unread}.`, { taken: true })
    // Readers may ignore a byte order mark (RFC 8259, section 8.1).
    const text = this.#redact(decoded.replace(/^\uFEFF/, ''))
    const to = header('location')
    return {
      call,
      status: answer.status,
      contentType: header('content-type'),
      location: to !== '' && URL.canParse(to, url) ? new URL(to, url).href : to,
      retryAfter: header('retry-after'),
      text,
      body: jsonOr(text, undefined),
    }
  }
}

/** Retries what may pass by itself, unless the service asks for more patience than that. */
function retrying(retries: number, statuses: readonly number[], longestPause: number): Retry {
  return ({ statusCode, code = '', headers }, attempt) => {
    const passes = statusCode === undefined ? TRANSIENT_ERRORS.test(code) : statuses.includes(statusCode)
    const pause = millisecondsOf(headers?.['retry-after']) ?? Math.min(250 * 2 ** (attempt - 1), longestPause)
    return passes && attempt <= retries && pause <= longestPause ? pause : undefined
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function millisecondsOf(retryAfter = ''): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
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

/** Why an answer is not the service's own; undefined where it is. 500 is the service's own failure. */
function gatewayProblem({ status, retryAfter, call: { contract } }: Answer): string | undefined {
  if (status === 500 || !isGatewayStatus(contract, status)) return undefined
  const wait = retryAfter === '' ? '' : ` (Retry-After: ${retryAfter})`
  const remedy = status === 429 ? 'verify more slowly or later' : 'check whether the provider is up'
  return `${contract.id} is unavailable: it answers with ${status}${wait}. Try again, or ${remedy}.`
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
