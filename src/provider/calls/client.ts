import { setTimeout as sleep } from 'node:timers/promises'
import type { Contract } from '../../../schemas/contract.js'
import { isGatewayStatus } from '../../../schemas/gateway.js'
import { type Redact, without } from '../redact.js'
import { secretsOf, type Target } from '../target.js'
import { type Call, keyOf } from './call.js'
import type { NoAnswer } from './no-answer.js'
import { type Answer, sendCall } from './send.js'

/** That the service is not there to be judged: all of it, or one operation. */
export class Unavailable extends Error {
  /** Whether nothing else needs to be tried. */
  readonly wholly: boolean

  constructor(message: string, wholly: boolean) {
    super(message)
    this.wholly = wholly
  }
}

/** Milliseconds before a call is sent again; each time twice as long. */
const FIRST_PAUSE = 250
/** How often, and after how many milliseconds at the most, what must be put back is sent again. */
const MOST_INSISTENCE = 7
const LONGEST_INSISTENCE = 10_000
/** Seconds that a service may ask to wait. */
const LONGEST_PAUSE = 60
/** Operations that are unavailable one after the other before the service counts as down. */
const MOST_IN_A_ROW = 3

/** Sends calls, each once, and those that find the service unavailable again. */
export class Client {
  readonly #target: Target
  readonly #redact: Redact
  readonly #answers = new Map<string, Promise<Answer>>()
  /** Why operations are unavailable; they are not called again. */
  readonly #down = new Map<string, Unavailable>()
  #inARow = 0
  #reached = false

  constructor(target: Target) {
    this.#target = target
    this.#redact = without(secretsOf(target))
  }

  /**
   * The answer to a call; to an equal one the same.
   * @throws {Unavailable} where there is none, or one of what stands before the service
   */
  send(call: Call): Promise<Answer> {
    const key = keyOf(call)
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const answer = this.#send(call)
    // Whoever waits is told; nobody may be waiting yet.
    answer.catch(() => {})
    this.#answers.set(key, answer)
    return answer
  }

  /** Whether a base address is the one that is called. */
  isTarget(url: string): boolean {
    return url === this.#target.url
  }

  /** Every answer of an operation so far. */
  async answersOf({ id }: Contract): Promise<readonly Answer[]> {
    const all = await Promise.allSettled(this.#answers.values())
    const answers = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    return answers.filter(({ call }) => call.contract.id === id)
  }

  /**
   * Sends a call that puts something back, whatever became of others: again and again where it fails, for about a minute.
   * @returns the last answer, or undefined where there was none
   */
  async insist(call: Call): Promise<Answer | undefined> {
    for (let tries = 0; ; tries++) {
      const answer = await sendCall(call, this.#target)
      const failed = 'problem' in answer || answer.status === 429 || answer.status >= 500
      if (!failed || tries >= MOST_INSISTENCE) return 'problem' in answer ? undefined : this.#withoutSecrets(answer)
      const asked = 'problem' in answer || answer.retryAfter === null ? null : millisecondsOf(answer.retryAfter)
      await sleep(Math.min(asked ?? FIRST_PAUSE * 2 ** tries, LONGEST_INSISTENCE))
    }
  }

  async #send(call: Call): Promise<Answer> {
    const { id } = call.contract
    const down = this.#down.get(id)
    if (down !== undefined) throw down
    for (let tries = 0; ; tries++) {
      const answer = await sendCall(call, this.#target)
      const why = whyUnavailable(answer)
      if (why === undefined) {
        this.#inARow = 0
        this.#reached = true
        return this.#withoutSecrets(answer as Answer)
      }
      if (tries < this.#target.retries && why.pause !== undefined) {
        await sleep(why.pause ?? FIRST_PAUSE * 2 ** tries)
        continue
      }
      this.#inARow++
      const wholly = why.wholly || (!this.#reached && 'problem' in answer) || this.#inARow >= MOST_IN_A_ROW
      const unavailable = new Unavailable(String(this.#redact(why.message)), wholly)
      this.#down.set(id, unavailable)
      throw unavailable
    }
  }

  /** A service may say a token back: it is taken out before anything is cut or quoted. */
  #withoutSecrets(answer: Answer): Answer {
    const redact = (text: string) => String(this.#redact(text))
    const { contentType, location, text } = answer
    const body = this.#redact(answer.body)
    return {
      ...answer,
      contentType: redact(contentType),
      location: location === null ? null : redact(location),
      text: body === undefined ? redact(text) : JSON.stringify(body),
      body,
    }
  }
}

interface Why {
  readonly message: string
  /** Milliseconds to wait, null for as long as usual; undefined where it is no use. */
  readonly pause: number | null | undefined
  readonly wholly: boolean
}

/** Why an answer is none of the service's own; undefined where it is. */
function whyUnavailable(answer: Answer | NoAnswer): Why | undefined {
  if ('problem' in answer)
    return { message: answer.problem, pause: answer.passing ? null : undefined, wholly: !answer.reached }
  const { status, retryAfter, call } = answer
  // 500 is the service's own failure.
  if (status === 500 || !isGatewayStatus(call.contract, status)) return undefined
  const asked = retryAfter === null ? null : millisecondsOf(retryAfter)
  const wait = retryAfter === null ? '' : ` (Retry-After: ${retryAfter})`
  const remedy = status === 429 ? 'verify more slowly or later' : 'check whether the provider is up'
  return {
    message: `${call.contract.id} is unavailable: it answers with ${status}${wait}. Try again, or ${remedy}.`,
    pause: asked !== null && asked > LONGEST_PAUSE * 1_000 ? undefined : asked,
    wholly: false,
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3); null for what is neither. */
function millisecondsOf(retryAfter: string): number | null {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}
