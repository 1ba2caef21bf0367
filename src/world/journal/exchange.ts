import type { UploadedFile } from '../../../schemas/common.js'
import { type Contract, outcomeId } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import type { Fault } from '../../../schemas/scenario.js'
import type { Deviation, Violation } from '../../validation/violation.js'
import type { Plan } from '../scenarios/playback.js'
import type { World } from '../world.js'

/** What a form holds: the literal part names, repeated ones as lists. */
export type FormValue = string | UploadedFile
export type Form = Readonly<Record<string, FormValue | readonly FormValue[]>>

/** How an answer came about. */
export type Cause = 'natural' | 'prefer' | `scenario:${string}`

/** What a request asks of the mock itself, by header or query (RFC 7240). */
export interface Preferences {
  readonly code?: number
  /** Milliseconds. */
  readonly delay?: number
  readonly scenario?: string
  readonly fault?: Fault
  /** The preferences as given, for `Preference-Applied`. */
  readonly applied: string
}

/** The answer as the client got it. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  /** The body's text; null where there was none. */
  readonly body: string | null
  readonly fault?: Fault
}

const NO_VIOLATIONS: readonly Violation[] = Object.freeze([])
const NO_DEVIATIONS: readonly Deviation[] = Object.freeze([])

/** One request with its answer (RFC 9110), from its arrival on. */
export class Exchange {
  readonly id: string
  readonly world: World
  /** Milliseconds since 1970, by the world's clock. */
  readonly at: number
  /** Null when no operation matches. */
  readonly contract: Contract | null
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly started = performance.now()

  user: User | null = null
  preferences: Preferences | null = null
  /** The scenario rule that this request met and whose answer is yet to come. */
  plan: Plan | null = null
  cause: Cause = 'natural'
  /** Headers that a rule adds to the operation's own answer. */
  extraHeaders: Readonly<Record<string, string>> | undefined = undefined
  /** Milliseconds that the answer is held back. */
  delay = 0
  query: Readonly<Record<string, unknown>> = {}
  params: Readonly<Record<string, string>> = {}
  form: Form | null = null
  /** A body that is no form, as text. */
  text: string | null = null
  /** Why the body could not be read as a form; it is complained about with all else. */
  unreadable: Violation | null = null
  violations: readonly Violation[] = NO_VIOLATIONS
  deviations: readonly Deviation[] = NO_DEVIATIONS
  /** The step of the journey that answered, and why. */
  answeredBy = ''
  why = ''

  status: number | null = null
  /** Whether the answer is a problem, which is no outcome. */
  problem = false
  sent: Sent | null = null
  /** Milliseconds from arrival to answer; null while it is under way. */
  duration: number | null = null

  constructor(world: World, contract: Contract | null, method: string, url: string, headers: Exchange['headers']) {
    this.world = world
    this.contract = contract
    this.method = method
    this.url = url
    this.headers = headers
    this.at = world.clock.now()
    this.id = world.journal.open(this)
  }

  /** The outcome's name once answered; null for what only the mock says. */
  get outcome(): string | null {
    const { contract, problem, status } = this
    if (problem || contract === null || status === null || !(status in contract.responses)) return null
    return outcomeId(contract, status)
  }

  /** Ends the exchange with what is about to be sent. */
  close(status: number | null, sent: Sent): void {
    this.status = status
    this.sent =
      sent.body === null || sent.body.length <= LONGEST_KEPT
        ? sent
        : { ...sent, body: sent.body.slice(0, LONGEST_KEPT) }
    this.duration = Math.round((performance.now() - this.started) * 1_000) / 1_000
    this.form = this.form && withoutContents(this.form)
    this.plan = null
    this.world.journal.close(this)
  }
}

const EMPTY = new Uint8Array()

/** Files stay in the journal by name, size, type and sha256. */
function withoutContents(form: Form): Form {
  const kept: Record<string, Form[string]> = {}
  for (const [name, value] of Object.entries(form)) {
    kept[name] = Array.isArray(value) ? value.map(withoutContent) : withoutContent(value as FormValue)
  }
  return kept
}

function withoutContent(value: FormValue): FormValue {
  return typeof value === 'string' ? value.slice(0, LONGEST_KEPT) : { ...value, content: EMPTY }
}

/** Characters of a field or a body that the journal keeps. */
export const LONGEST_KEPT = 64 * 1024
