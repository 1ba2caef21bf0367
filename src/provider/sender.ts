import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Contract, fillPath, isGatewayStatus } from '../../schemas/contract.js'
import { jsonOr } from '../text/json.js'
import { type Redact, redactor } from '../text/redacted.js'
import type { SentCall, Token } from './calls.js'
import { ProviderClient } from './client.js'
import { decodeBody } from './decode-body.js'
import { Unanswered } from './failures.js'

export interface Target {
  /** The base URL, without a slash at its end. */
  readonly url: string
  readonly token: string
  readonly tokenWithoutPermission?: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly timeout: number
  readonly retries: number
}

export interface ReceivedAnswer {
  readonly call: SentCall
  readonly status: number
  readonly contentType: string
  readonly location: string
  readonly retryAfter: string
  readonly text: string
  readonly body: unknown
}

/** The service, or one of its operations, cannot be judged. */
export class Unavailable extends Error {
  constructor(
    message: string,
    readonly wholly: boolean,
  ) {
    super(message)
  }
}

/** If so many operations in a row are unavailable, the service counts as down. */
const MOST_IN_A_ROW = 3
const LONGEST_BODY = 16 * 1024 * 1024
const RETRIED: readonly number[] = [429, 502, 503, 504]

export class Sender {
  readonly #redact: Redact
  readonly #client: ProviderClient
  readonly #answers = new Map<string, Promise<ReceivedAnswer>>()
  readonly #received: ReceivedAnswer[] = []
  readonly #down = new Map<string, Unavailable>()
  #inARow = 0

  constructor(readonly target: Target) {
    const { timeout, token, tokenWithoutPermission = '', headers } = target
    this.#redact = redactor([token, tokenWithoutPermission, ...headers.map(([, value]) => value)])
    const timeouts = { connect: timeout, idle: timeout }
    this.#client = new ProviderClient({ option: '--target', timeouts, longestBody: LONGEST_BODY })
  }

  /** @throws {Unavailable} if there is no answer, or only a gateway's */
  send(call: SentCall): Promise<ReceivedAnswer> {
    const { contract, ...others } = call
    const key = JSON.stringify([contract.id, { again: 0, ...others }])
    const answer = this.#answers.get(key) ?? this.#send(call)
    // Avoid an unhandledRejection.
    answer.catch(() => {})
    this.#answers.set(key, answer)
    return answer
  }

  answersOf({ id }: Contract): readonly ReceivedAnswer[] {
    return this.#received.filter(({ call }) => call.contract.id === id)
  }

  /** Sends a call that restores something, for about a minute; undefined without an answer. */
  async insist(call: SentCall): Promise<ReceivedAnswer | undefined> {
    const answer = await this.#retry(call, 7, [...RETRIED, 500], 10_000)
    return answer instanceof Unanswered ? undefined : answer
  }

  async #send(call: SentCall): Promise<ReceivedAnswer> {
    const { id } = call.contract
    const down = this.#down.get(id)
    if (down !== undefined) throw down
    const answer = await this.#retry(call, this.target.retries, RETRIED, 60_000)
    const problem = answer instanceof Unanswered ? answer.message : gatewayProblem(answer)
    if (problem === undefined) {
      this.#inARow = 0
      this.#received.push(answer as ReceivedAnswer)
      return answer as ReceivedAnswer
    }
    const isDown = answer instanceof Unanswered && !(this.#received.length > 0 && (answer.taken || answer.timedOut))
    const unavailable = new Unavailable(this.#redact(problem), isDown || ++this.#inARow >= MOST_IN_A_ROW)
    this.#down.set(id, unavailable)
    throw unavailable
  }

  /** A service that asks for a longer pause is not called again. */
  async #retry(call: SentCall, times: number, statuses: readonly number[], longestPause: number) {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#ask(call).catch((error) => {
        if (error instanceof Unanswered) return error
        throw error
      })
      const isAnswer = !(answer instanceof Unanswered)
      const mayPass = isAnswer ? statuses.includes(answer.status) : answer.isTransient
      const pause = (isAnswer ? millisecondsOf(answer) : undefined) ?? Math.min(250 * 2 ** attempt, longestPause)
      if (!mayPass || attempt >= times || pause > longestPause) return answer
      await sleep(pause)
    }
  }

  async #ask(call: SentCall): Promise<ReceivedAnswer> {
    const { contract, params, query, token } = call
    const url = `${this.target.url}${fillPath(contract, (name) => params[name] ?? '')}`
    const form = call.form && new Response(await formData(call.form))
    const headers = new Headers({ accept: 'application/json' })
    for (const [name, value] of this.target.headers) headers.set(name, value)
    if (token !== null) headers.set(token.header, tokenIn(token, this.target))
    if (form !== null) headers.set('content-type', form.headers.get('content-type') ?? '')
    const answer = await this.#client.ask(url, {
      method: contract.method,
      path: `?${new URLSearchParams(query)}`.replace(/\?$/, ''),
      headers: [...headers].flat(),
      body: form && Buffer.from(await form.arrayBuffer()),
    })
    // The provider may repeat the token.
    const header = (name: string) => this.#redact(String(answer.headers[name] ?? ''))
    const { text: decoded, unread } = decodeBody(answer.bytes, header('content-encoding'))
    if (unread !== undefined)
      throw new Unanswered(`The answer from '${url}' cannot be read: ${unread}.`, { taken: true })
    // Readers may ignore a byte order mark (RFC 8259, section 8.1).
    const text = this.#redact(decoded.replace(/^\uFEFF/, ''))
    const location = header('location')
    return {
      call,
      status: answer.status,
      contentType: header('content-type'),
      location: location !== '' && URL.canParse(location, url) ? new URL(location, url).href : location,
      retryAfter: header('retry-after'),
      text,
      body: jsonOr(text, undefined),
    }
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function millisecondsOf({ retryAfter }: ReceivedAnswer): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function tokenIn({ header, whose }: Token, { token, tokenWithoutPermission = '' }: Target): string {
  const tokens = { user: token, 'without permission': tokenWithoutPermission, invalid: 'wrong-token', empty: '' }
  return header === 'authorization' ? `Bearer ${tokens[whose]}` : tokens[whose]
}

async function formData(form: NonNullable<SentCall['form']>): Promise<FormData> {
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

/** A 500 is the service's own. */
function gatewayProblem({ status, retryAfter, call: { contract } }: ReceivedAnswer): string | undefined {
  if (status === 500 || !isGatewayStatus(contract, status)) return undefined
  const wait = retryAfter === '' ? '' : ` (Retry-After: ${retryAfter})`
  const remedy = status === 429 ? 'verify more slowly or later' : 'check whether the provider is up'
  return `${contract.id} is unavailable: it answers with ${status}${wait}. Try again, or ${remedy}.`
}

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
