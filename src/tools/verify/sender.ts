import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { FormData } from 'undici'
import { type Contract, fillPath, isGatewayStatus, isRedirect } from '../../engine/contract/contract.js'
import { jsonOr } from '../../engine/contract/json.js'
import { type Redact, redactor } from '../../engine/journal/redact.js'
import { BYTE_ORDER_MARK } from '../../engine/judge/deviations.js'
import { sleep } from '../../engine/timers.js'
import { type ProviderAnswer, ProviderClient } from '../http/client.js'
import { Unanswered } from '../http/failures.js'
import type { SentCall, Token } from './calls.js'

export interface Target {
  /** Has no slash at its end. */
  readonly url: string
  readonly token: string
  readonly tokenWithoutPermission?: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly timeout: number
  readonly retries: number
}

export type ReceivedAnswer = ReturnType<typeof receivedAnswer>

export class Unavailable extends Error {
  constructor(
    message: string,
    readonly wholly: boolean,
  ) {
    super(message)
  }
}

/** Bytes: longer ones are not compared. */
const LONGEST_BODY = 4 * 1024 * 1024
/** Milliseconds; longer ones are not waited for. */
const LONGEST_PAUSE = 60_000
const RETRIED: readonly number[] = [429, 502, 503, 504]

export class Sender {
  readonly #redact: Redact
  readonly #client: ProviderClient
  readonly #answers = new Map<string, Promise<ReceivedAnswer>>()
  readonly #received: ReceivedAnswer[] = []
  readonly #down = new Map<string, Unavailable>()
  /** Calls that got a 500 only once. */
  #unstable = 0

  constructor(readonly target: Target) {
    const { token, tokenWithoutPermission = '', headers } = target
    this.#redact = redactor([token, tokenWithoutPermission, ...headers.map(([, value]) => value)])
    this.#client = clientFor(target)
  }

  /** @throws {Unavailable} if there is no answer, or only a gateway's */
  send(call: SentCall): Promise<ReceivedAnswer> {
    const { contract, ...others } = call
    const key = JSON.stringify([contract.id, { attempt: 0, ...others }])
    const answer = this.#answers.get(key) ?? this.#send(call)
    // Avoid an unhandledRejection.
    answer.catch(() => {})
    this.#answers.set(key, answer)
    return answer
  }

  answersOf({ id }: Contract): readonly ReceivedAnswer[] {
    return this.#received.filter(({ call }) => call.contract.id === id)
  }

  isAccepted(token: Token | null): boolean {
    return this.#received.some(({ ok, call }) => ok && call.token?.whose === token?.whose)
  }

  /** Tries for a minute; undefined without an answer. */
  async retryRestore(call: SentCall): Promise<ReceivedAnswer | undefined> {
    const answer = await this.#retry(call, 7, [...RETRIED, 500])
    return answer instanceof Unanswered ? undefined : answer
  }

  async #send(call: SentCall): Promise<ReceivedAnswer> {
    const { id } = call.contract
    const down = this.#down.get(id)
    if (down !== undefined) throw down
    const answer = await this.#confirm(call, await this.#retry(call, this.target.retries, RETRIED))
    const problem = answer instanceof Unanswered ? answer.message : gatewayProblem(answer)
    if (answer instanceof Unanswered || problem !== undefined) {
      const isWholly = answer instanceof Unanswered && (this.#received.length === 0 || !answer.wasReceived)
      const unavailable = new Unavailable(this.#redact(problem ?? ''), isWholly)
      this.#down.set(id, unavailable)
      throw unavailable
    }
    this.#received.push(answer)
    return answer
  }

  /** A 500 that does not occur again is no drift. */
  async #confirm(call: SentCall, first: ReceivedAnswer | Unanswered): Promise<ReceivedAnswer | Unanswered> {
    if (first instanceof Unanswered || first.status !== 500) return first
    const again = await this.#retry(call, this.target.retries, RETRIED)
    if (again instanceof Unanswered || again.status === 500) return first
    this.#unstable++
    return again
  }

  get instability(): string | undefined {
    const of = `${this.#unstable} of ${this.#received.length} calls`
    return this.#unstable === 0
      ? undefined
      : `The service is unstable: ${of} got a 500 first, and another answer when they were repeated. Check the service's log.`
  }

  async #retry(call: SentCall, times: number, statuses: readonly number[]) {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#ask(call)
      const isAnswer = !(answer instanceof Unanswered)
      const mayPass = isAnswer ? statuses.includes(answer.status) : answer.isTransient
      const pause = (isAnswer ? millisecondsOf(answer) : undefined) ?? Math.min(250 * 2 ** attempt, LONGEST_PAUSE)
      if (!mayPass || attempt >= times || pause > LONGEST_PAUSE) return answer
      await sleep(pause)
    }
  }

  async #ask(call: SentCall): Promise<ReceivedAnswer | Unanswered> {
    const { contract, params, query, form, token } = call
    const { method } = contract
    const url = `${this.target.url}${fillPath(contract, (name) => params[name] ?? '')}`
    const given = this.target.headers.map(([name, value]) => [name.toLowerCase(), value])
    const ofToken = token && { [token.header]: headerValue(token, contract, this.target) }
    const sent = { accept: 'application/json', ...Object.fromEntries(given), ...ofToken }
    const body = form && (await formData(form))
    const request = { method, path: `?${new URLSearchParams(query)}`, headers: sent, body }
    const answer = await this.#client.ask(url, request)
    return answer instanceof Unanswered ? answer : receivedAnswer(call, url, answer, this.#redact)
  }
}

/** The provider may repeat the token. */
function receivedAnswer(call: SentCall, url: string, { status, headers, text }: ProviderAnswer, redact: Redact) {
  const header = (name: string) => redact(String(headers[name] ?? ''))
  const location = isRedirect(status) ? header('location') : ''
  const redacted = redact(text)
  return {
    call,
    ok: status >= 200 && status < 300,
    status,
    contentType: header('content-type'),
    location: URL.canParse(location, url) && location !== '' ? new URL(location, url).href : location,
    retryAfter: header('retry-after'),
    text: redacted,
    body: jsonOr(redacted.replace(BYTE_ORDER_MARK, ''), undefined),
  }
}

function clientFor({ timeout }: Pick<Target, 'timeout'>): ProviderClient {
  return new ProviderClient({ connect: timeout, idle: timeout }, LONGEST_BODY, '--target')
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function millisecondsOf({ retryAfter }: ReceivedAnswer): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function headerValue({ header, whose }: Token, { conventions }: Contract, target: Target): string {
  const { token, tokenWithoutPermission = '' } = target
  const tokens = { user: token, 'without permission': tokenWithoutPermission, invalid: 'wrong-token', empty: '' }
  const scheme = conventions.tokenHeaders.find(({ name }) => name === header)?.scheme
  return scheme === undefined ? tokens[whose] : `${scheme} ${tokens[whose]}`
}

async function formData(form: NonNullable<SentCall['form']>): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.set(name, value)
    else data.set(name, new File([await readFile(value.path)], basename(value.path), { type: value.type ?? '' }))
  }
  return data
}

/** 500 is the service's own. */
function gatewayProblem({ status, retryAfter, call: { contract } }: ReceivedAnswer): string | undefined {
  if (status === 500 || !isGatewayStatus(contract, status)) return undefined
  const wait = retryAfter === '' ? '' : ` (Retry-After: ${retryAfter})`
  const remedy = status === 429 ? 'verify more slowly or later' : 'check whether the provider is up'
  return `${contract.id} is unavailable: it answers with ${status}${wait}. Try again, or ${remedy}.`
}

export async function waitUntilUp(target: Target, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000
  const client = clientFor({ timeout: Math.min(target.timeout, seconds * 1_000) })
  while (performance.now() < end) {
    const answer = await client.ask(target.url, { method: 'GET', path: '/' })
    if (!(answer instanceof Unanswered) && (answer.status < 502 || answer.status > 504)) return
    await sleep(250)
  }
}
