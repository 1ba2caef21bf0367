import type { Form } from '../../../schemas/common.js'
import { type Contract, outcomeId } from '../../../schemas/contract.js'
import type { Fault } from '../../../schemas/scenario.js'
import type { CurlCall } from '../../text/curl.js'
import { type Deviation, suspicionOf, type Violation } from '../../validation/violation.js'
import { ExchangeLimit } from './keep.js'
import { countOutcome, type OutcomeCounts } from './outcome-counts.js'

/** How an answer came about. */
export type Cause = 'natural' | 'provider' | 'fallback' | 'prefer' | `scenario:${string}`

const BY_CLIENT: ReadonlySet<Cause> = new Set<Cause>(['natural', 'provider', 'fallback'])

/** Whether an answer is to what the client sent, and not what it or a scenario asked for. */
export function isUnforced(cause: Cause): boolean {
  return BY_CLIENT.has(cause)
}

/** How a request names its sandbox. */
export type SandboxWay = 'url' | 'header' | 'baggage' | 'token'

/** The URL of a request with its sandbox, however that was named. */
export function urlInSandbox({ url, sandbox, sandboxBy }: Pick<Exchange, 'url' | 'sandbox' | 'sandboxBy'>): string {
  return sandbox === null || sandboxBy === 'url' ? url : `/~${sandbox}${url}`
}

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
  /** How it names its sandbox; null at the root. */
  readonly sandboxBy: SandboxWay | null
}

const NO_VIOLATIONS: readonly Violation[] = Object.freeze([])
const NO_DEVIATIONS: readonly Deviation[] = Object.freeze([])

/** One request with its answer (RFC 9110), from its arrival on. The journal makes, closes and keeps them. */
export class Exchange implements Arrived {
  readonly id: string
  /** The sandbox's name; null for the root. */
  readonly sandbox: string | null
  readonly sandboxBy: SandboxWay | null
  /** Milliseconds since 1970, by the world's clock. */
  readonly at: number
  readonly contract: Contract | null
  readonly method: string
  readonly url: string
  readonly headers: Arrived['headers']
  readonly started = performance.now()
  /** Whether a text is the token of a user, or of admin. */
  readonly isToken: (text: string) => boolean
  /** Where its outcome is counted: a reset of the world begins new counts. */
  readonly #counts: OutcomeCounts
  #isTrimmed = false

  cause: Cause = 'natural'
  /** Milliseconds that the answer is held back. */
  delay = 0
  query: Readonly<Record<string, unknown>> = {}
  params: Readonly<Record<string, string>> = {}
  form: Form | null = null
  /** A body that was not read, as text. */
  text: string | null = null
  violations: readonly Violation[] = NO_VIOLATIONS
  deviations: readonly Deviation[] = NO_DEVIATIONS
  /** The status that the client says it expects; the violations of a request that gets it are meant. */
  expected: number | null = null
  /** The corrected request, for a shell; built when it is viewed. */
  correction: ((exchange: Exchange, redact: (text: string) => string) => CurlCall | undefined) | null = null
  /** Secrets that the mock added to the request on its way to the provider. */
  secret: string | undefined = undefined
  /** The step of the journey that answered, and why. */
  answeredBy = ''
  why = ''
  /** Why the provider did not answer, and the mock did in its place. */
  unanswered: string | undefined = undefined
  /** Whether the provider broke off its answer. */
  brokenOff = false

  /** The id of the mutant that altered its answer. */
  mutant: string | null = null
  status: number | null = null
  /** The declared status that it counts as where a mutant answered with another. */
  countsAs: number | null = null
  /** Whether the answer is not an outcome: a problem, or one that may not have reached the client. */
  problem = false
  sent: Sent | null = null
  /** Whether not all of the request is kept. */
  cut = false
  /** Milliseconds from arrival to answer; null while it is under way. */
  duration: number | null = null

  constructor(
    id: string,
    sandbox: string | null,
    at: number,
    { contract, method, url, headers, sandboxBy }: Arrived,
    counts: OutcomeCounts,
    isToken: (text: string) => boolean,
  ) {
    this.#counts = counts
    this.isToken = isToken
    this.id = id
    this.sandbox = sandbox
    this.sandboxBy = sandboxBy
    this.at = at
    this.contract = contract
    this.method = method
    this.url = url
    this.headers = headers
  }

  /** The outcome's name once answered; null for what only the mock says. */
  get outcome(): string | null {
    const { contract, problem, status } = this
    return problem || contract === null || status === null ? null : outcomeId(contract, status)
  }

  /** The status, or the one that it counts as. */
  get declaredStatus(): number | null {
    return this.countsAs ?? this.status
  }

  /** The outcome where the operation declares it: what a gateway answers, or a rule against the contract, covers none. */
  get declaredOutcome(): string | null {
    const { outcome, contract, declaredStatus } = this
    if (outcome === null || declaredStatus === null) return null
    return declaredStatus in (contract as Contract).responses ? outcomeId(contract as Contract, declaredStatus) : null
  }

  /** Whether its violations are meant: the client expected the status that it got. */
  get meant(): boolean {
    return this.expected !== null && this.expected === this.status
  }

  /** Lets go of what the journal does not show of the request: called when the answer is known. */
  trim(): void {
    if (this.#isTrimmed) return
    this.#isTrimmed = true
    const { query, form } = this
    const [ofQuery, ofBody] = [new ExchangeLimit(MOST_KEPT), new ExchangeLimit(MOST_KEPT)]
    this.query = ofQuery.query(query)
    this.form = form && ofBody.form(form)
    this.text = this.text && ofBody.text(this.text)
    this.cut = ofQuery.left === 0 || ofBody.left === 0
  }

  /** Ends it with what is about to be sent, keeping no more of both than the journal shows. */
  end(status: number | null, sent: Sent): void {
    this.trim()
    this.status = status
    const body = sent.body === null ? null : new ExchangeLimit(MOST_KEPT).text(sent.body)
    this.sent = body === sent.body ? sent : { ...sent, body }
    this.why = new ExchangeLimit(LONGEST_REASON).text(this.why)
    this.violations = firstOf(withExpectation(this.violations, this.expected, status))
    this.duration = Math.round((performance.now() - this.started) * 1_000) / 1_000
    const { declaredOutcome } = this
    if (declaredOutcome !== null) countOutcome(this.#counts, declaredOutcome, this.cause)
  }
}

/** Bytes that an exchange keeps of each body, and of its query. */
const MOST_KEPT = 16 * 1024
const LONGEST_REASON = 2_000
const MOST_VIOLATIONS = 50

/** That another status came than the client expected is a mistake of client or test. */
function withExpectation(
  violations: readonly Violation[],
  expected: number | null,
  status: number | null,
): readonly Violation[] {
  if (expected === null || status === null || expected === status) return violations
  const unmet = suspicionOf({
    code: 'expectation-unmet',
    message: `The request says that it expects ${expected}, but it got ${status}.`,
    where: 'request',
    fix: `Change the request so that it gets ${expected}, or expect ${status}.`,
  })
  return [...violations, unmet]
}

/** The first violations; of a thousand, fifty say enough. */
function firstOf(violations: readonly Violation[]): readonly Violation[] {
  if (violations.length <= MOST_VIOLATIONS) return violations
  const more = violations.slice(MOST_VIOLATIONS)
  // What is dropped weighs as much as the gravest of it.
  const { basis, cites, rule } = GRAVEST_FIRST.flatMap(
    (one) => more.find(({ basis }) => basis === one) ?? [],
  )[0] as Violation
  const message = `${more.length} more violations were not kept.`
  const found = { code: 'more-violations', message, where: 'request', fix: 'Fix the others first.' }
  return [...violations.slice(0, MOST_VIOLATIONS), { ...found, basis, cites, ...(rule !== undefined && { rule }) }]
}

const GRAVEST_FIRST = ['documented', 'suspicious', 'reading'] as const
