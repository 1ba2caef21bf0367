import type { Form, FormValue } from '../../../schemas/common.js'
import { type Contract, outcomeId } from '../../../schemas/contract.js'
import type { Fault } from '../../../schemas/scenario.js'
import type { Deviation, Violation } from '../../validation/violation.js'
import { countOutcome, type OutcomeCounts } from './outcome-counts.js'

/** How an answer came about. */
export type Cause = 'natural' | 'prefer' | `scenario:${string}`

/** The answer as the client got it. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  /** The body's text; null where there was none. */
  readonly body: string | null
  readonly fault?: Fault
}

/** What is known of a request as it arrives. */
export interface Arrived {
  /** Null when no operation matches. */
  readonly contract: Contract | null
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

const NO_VIOLATIONS: readonly Violation[] = Object.freeze([])
const NO_DEVIATIONS: readonly Deviation[] = Object.freeze([])

/** One request with its answer (RFC 9110), from its arrival on. The journal makes, closes and keeps them. */
export class Exchange implements Arrived {
  readonly id: string
  /** The sandbox's name; null for the root. */
  readonly sandbox: string | null
  /** Milliseconds since 1970, by the world's clock. */
  readonly at: number
  readonly contract: Contract | null
  readonly method: string
  readonly url: string
  readonly headers: Arrived['headers']
  readonly started = performance.now()
  /** Where its outcome is counted: a reset of the world begins new counts. */
  readonly #counts: OutcomeCounts

  cause: Cause = 'natural'
  /** Milliseconds that the answer is held back. */
  delay = 0
  query: Readonly<Record<string, unknown>> = {}
  params: Readonly<Record<string, string>> = {}
  form: Form | null = null
  /** A body that is not a form, as text. */
  text: string | null = null
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

  constructor(
    id: string,
    sandbox: string | null,
    at: number,
    { contract, method, url, headers }: Arrived,
    counts: OutcomeCounts,
  ) {
    this.#counts = counts
    this.id = id
    this.sandbox = sandbox
    this.at = at
    this.contract = contract
    this.method = method
    this.url = url
    this.headers = headers
  }

  /** The outcome's name once answered; null for what only the mock says. */
  get outcome(): string | null {
    const { contract, problem, status } = this
    if (problem || contract === null || status === null || !(status in contract.responses)) return null
    return outcomeId(contract, status)
  }

  /** Ends it with what is about to be sent, keeping no more of both than the journal shows. */
  end(status: number | null, sent: Sent): void {
    this.status = status
    this.sent =
      sent.body === null || sent.body.length <= LONGEST_KEPT
        ? sent
        : { ...sent, body: sent.body.slice(0, LONGEST_KEPT) }
    this.duration = Math.round((performance.now() - this.started) * 1_000) / 1_000
    this.form = this.form && withoutContents(this.form)
    if (this.outcome !== null) countOutcome(this.#counts, this.outcome, this.cause)
  }
}

/** Characters of a field or a body that the journal keeps. */
const LONGEST_KEPT = 64 * 1024
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
