import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { FormData } from 'undici'
import { type Contract, fillPath, isGatewayStatus, isRedirect } from '../../engine/contract/contract.js'
import { jsonOr } from '../../engine/contract/json.js'
import { type Redact, redactor } from '../../engine/journal/redact.js'
import { BYTE_ORDER_MARK } from '../../engine/judge/deviations.js'
import { sleep } from '../../engine/timers.js'
import { type ProviderAnswer, ProviderClient } from '../http/client.js'
import { NoAnswer } from '../http/failures.js'
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
    /** True if no further call makes sense. */
    readonly endsRun: boolean,
  ) {
    super(message)
  }
}

/** Bytes: a longer body is not compared. */
const LONGEST_BODY = 4 * 1024 * 1024
/** Milliseconds: a provider that asks for a longer pause is unavailable. */
const LONGEST_PAUSE = 60_000
const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504]

export class Sender {
  readonly #redact: Redact
  readonly #client: ProviderClient
  readonly #answers = new Map<string, Promise<ReceivedAnswer>>()
  readonly #received: ReceivedAnswer[] = []
  /** By operation. */
  readonly #unavailable = new Map<string, Unavailable>()
  /** The number of calls that failed only once. */
  #unstableCalls = 0

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
    return this.#received.some(({ ok, call }) => ok && call.token?.kind === token?.kind)
  }

  /** Tries for a minute; resolves with undefined without an answer. */
  async retryRestore(call: SentCall): Promise<ReceivedAnswer | undefined> {
    const answer = await this.#sendWithRetries(call, 7, [...RETRIED_STATUSES, 401, 500])
    return answer instanceof NoAnswer || findProblem(answer) !== undefined ? undefined : answer
  }

  async #send(call: SentCall): Promise<ReceivedAnswer> {
    const { id } = call.contract
    const earlier = this.#unavailable.get(id)
    if (earlier !== undefined) throw earlier
    const answer = await this.#confirmFailure(call, await this.#sendWithRetries(call))
    const problem = answer instanceof NoAnswer ? answer.message : findProblem(answer)
    if (answer instanceof NoAnswer || problem !== undefined) {
      const endsRun = answer instanceof NoAnswer && (this.#received.length === 0 || !answer.mayHaveArrived)
      const unavailable = new Unavailable(this.#redact(problem ?? ''), endsRun)
      this.#unavailable.set(id, unavailable)
      throw unavailable
    }
    this.#received.push(answer)
    return answer
  }

  /** A failure that does not occur again is no drift: a 500, or a 401 in spite of the user's token. */
  async #confirmFailure(call: SentCall, first: ReceivedAnswer | NoAnswer): Promise<ReceivedAnswer | NoAnswer> {
    if (first instanceof NoAnswer) return first
    if (first.status !== 500 && !(first.status === 401 && call.token?.kind === 'user')) return first
    const second = await this.#sendWithRetries(call)
    if (second instanceof NoAnswer || second.status === first.status) return first
    this.#unstableCalls++
    return second
  }

  get instability(): string | undefined {
    if (this.#unstableCalls === 0) return undefined
    const share = `${this.#unstableCalls} of ${this.#received.length} calls`
    return `The service is unstable: ${share} got a 500 or 401 first, and another answer when they were repeated. Check the service's log.`
  }

  async #sendWithRetries(call: SentCall, retries = this.target.retries, statuses = RETRIED_STATUSES) {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#sendOnce(call)
      const isAnswer = !(answer instanceof NoAnswer)
      const mayPass = isAnswer ? statuses.includes(answer.status) : answer.isTransient
      const pause = (isAnswer ? retryAfterMs(answer) : undefined) ?? Math.min(250 * 2 ** attempt, LONGEST_PAUSE)
      if (!mayPass || attempt >= retries || pause > LONGEST_PAUSE) return answer
      await sleep(pause)
    }
  }

  async #sendOnce(call: SentCall): Promise<ReceivedAnswer | NoAnswer> {
    const { contract, params, query, form, token } = call
    const { method } = contract
    const url = `${this.target.url}${fillPath(contract, (name) => params[name] ?? '')}`
    const targetHeaders = this.target.headers.map(([name, value]) => [name.toLowerCase(), value])
    const tokenHeader = token && { [token.header]: headerValue(token, contract, this.target) }
    const headers = { accept: 'application/json', ...Object.fromEntries(targetHeaders), ...tokenHeader }
    const body = form && (await formData(form))
    const request = { method, path: `?${new URLSearchParams(query)}`, headers, body }
    const answer = await this.#client.send(url, request)
    return answer instanceof NoAnswer ? answer : receivedAnswer(call, url, answer, this.#redact)
  }
}

/** Redacted, because the provider may repeat the token. */
function receivedAnswer(call: SentCall, url: string, answer: ProviderAnswer, redact: Redact) {
  const { status, headers, text, unread } = answer
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
    unread,
    body: jsonOr(redacted.replace(BYTE_ORDER_MARK, ''), undefined),
  }
}

function clientFor({ timeout }: Pick<Target, 'timeout'>): ProviderClient {
  return new ProviderClient({ connect: timeout, idle: timeout }, LONGEST_BODY, '--target')
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfterMs({ retryAfter }: ReceivedAnswer): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function headerValue({ header, kind }: Token, { conventions }: Contract, target: Target): string {
  const { token, tokenWithoutPermission = '' } = target
  const tokens = { user: token, 'without permission': tokenWithoutPermission, invalid: 'wrong-token', empty: '' }
  const scheme = conventions.tokenHeaders.find(({ name }) => name === header)?.scheme
  return scheme === undefined ? tokens[kind] : `${scheme} ${tokens[kind]}`
}

async function formData(form: NonNullable<SentCall['form']>): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.set(name, value)
    else data.set(name, new File([await readFile(value.path)], basename(value.path), { type: value.type ?? '' }))
  }
  return data
}

/** Returns nothing for 500, which the service itself sends. */
function findProblem({ status, retryAfter, unread, call: { contract } }: ReceivedAnswer): string | undefined {
  if (unread !== undefined) return `An answer of ${contract.id} cannot be checked: ${unread}.`
  if (status === 500 || !isGatewayStatus(contract, status)) return undefined
  const wait = retryAfter === '' ? '' : ` (Retry-After: ${retryAfter})`
  const remedy = status === 429 ? 'verify more slowly or later' : 'check whether the provider is up'
  return `${contract.id} is unavailable: it answers with ${status}${wait}. Try again, or ${remedy}.`
}

export async function waitUntilUp(target: Target, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000
  const client = clientFor({ timeout: Math.min(target.timeout, seconds * 1_000) })
  while (performance.now() < end) {
    const answer = await client.send(target.url, { method: 'GET', path: '/' })
    if (!(answer instanceof NoAnswer) && (answer.status < 502 || answer.status > 504)) return
    await sleep(250)
  }
}
