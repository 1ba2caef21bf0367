import type { Form } from '../../../schemas/common.js'
import { type Contract, outcomeId } from '../../../schemas/contract.js'
import type { Fault } from '../../../schemas/scenario.js'
import type { CurlCall } from '../../text/curl.js'
import { type Deviation, suspicionOf, type Violation } from '../../validation/violation.js'
import { keepBeginning, keepForm } from './keep.js'

/** How an answer came about. */
export type Cause = 'natural' | 'provider' | 'fallback' | 'prefer' | `scenario:${string}`

/** The step that answered; `routing` if no operation was reached. */
export type Step = 'routing' | 'forceOutcome' | 'playScenario' | 'forward' | 'authenticate' | 'validate' | 'operate'

const BY_CLIENT: ReadonlySet<Cause> = new Set<Cause>(['natural', 'provider', 'fallback'])

/** Whether an answer is to what the client sent, and not what it or a scenario asked for. */
export function isUnforced(cause: Cause): boolean {
  return BY_CLIENT.has(cause)
}

/** How a request names its sandbox. */
export type SandboxSelector = 'url' | 'header' | 'baggage' | 'token'

/** The answer as the client got it. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  /** The body's text; null without one. */
  readonly body: string | null
  readonly fault?: Fault
}

/** One request with its answer (RFC 9110), as it is put together when the answer leaves. */
export interface Completed {
  readonly id: string
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  /** The sandbox's name; null for the root. */
  readonly sandbox: string | null
  readonly sandboxBy: SandboxSelector | null
  /** The full name of the test that sent it, if the sandbox knows. */
  readonly test: string | undefined
  /** Null if no operation matches. */
  readonly contract: Contract | null
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string>>
  readonly form: Form | null
  /** A body that was not read as a form. */
  readonly text: string | null
  /** Null if there was no answer. */
  readonly status: number | null
  /** The status before a mutant altered it. */
  readonly declaredStatus: number | null
  readonly sent: Sent | null
  readonly step: Step
  readonly cause: Cause
  /** Why it was answered so. */
  readonly why: string
  readonly violations: readonly Violation[]
  /** Those that led to the status. */
  readonly reasons: readonly Violation[]
  readonly deviations: readonly Deviation[]
  /** The status that the client says it expects. */
  readonly expected: number | null
  /** Makes the corrected request when somebody looks at it. */
  readonly correction: ((exchange: Exchange, redact: (text: string) => string) => CurlCall | undefined) | null
  /** The id of the mutant that altered the answer. */
  readonly mutant: string | null
  /** Why the provider did not answer, if the mock did in its place. */
  readonly providerFailure: string | undefined
  /** A secret that the mock added to the request on its way to the provider. */
  readonly secret: string | undefined
  /** Whether only the mock says it, so that it is no outcome. */
  readonly problem: boolean
  /** Milliseconds from arrival to answer. */
  readonly duration: number
}

/** A violation as the journal keeps it. */
export interface NotedViolation extends Violation {
  /** Whether it led to a status that the client said it expects. */
  readonly expected: boolean
  /** The status of 4xx that it led to, if it did. */
  readonly refusedWith?: number
}

/** An exchange of the journal: as much of it as is kept, and what follows from it. */
export interface Exchange extends Omit<Completed, 'reasons'> {
  readonly violations: readonly NotedViolation[]
  /** The outcome's name; null for what only the mock says. */
  readonly outcome: string | null
  /** The outcome if the operation declares it: a gateway's answer, or a rule against the contract, covers none. */
  readonly declaredOutcome: string | null
  /** Whether not all of the request is kept. */
  readonly cut: boolean
  /** Whether a text is the token of a user, or of admin. */
  readonly isToken: (text: string) => boolean
}

const LONGEST_REASON = 2_000
const MOST_VIOLATIONS = 50

/** What the journal keeps of an exchange. */
export function keepExchange(completed: Completed, isToken: Exchange['isToken']): Exchange {
  const { reasons: _, ...kept } = completed
  const { contract, status, declaredStatus, problem, sent } = completed
  const isOutcome = !problem && contract !== null && status !== null
  const form = completed.form && keepForm(completed.form)
  const text = completed.text && keepBeginning(completed.text)
  return {
    ...kept,
    form: form?.kept ?? null,
    text,
    cut: form?.isCut === true || text !== completed.text,
    sent: sent?.body ? { ...sent, body: keepBeginning(sent.body) } : sent,
    why: keepBeginning(completed.why, LONGEST_REASON),
    violations: firstOf(notedViolations(completed)),
    outcome: isOutcome ? outcomeId(contract, status) : null,
    declaredOutcome:
      isOutcome && declaredStatus !== null && declaredStatus in contract.responses
        ? outcomeId(contract, declaredStatus)
        : null,
    isToken,
  }
}

/** The violations, and one more if another status came than the client expected: a mistake of client or test. */
function notedViolations({ violations, reasons, expected, status }: Completed): readonly NotedViolation[] {
  const noted = violations.map((violation) => {
    const isReason = reasons.includes(violation) && status !== null && status >= 400
    return { ...violation, expected: isReason && expected === status, ...(isReason && { refusedWith: status }) }
  })
  if (expected === null || status === null || expected === status) return noted
  const unmet = suspicionOf({
    code: 'expectation-unmet',
    message: `The request says that it expects ${expected}, but it got ${status}.`,
    where: 'request',
    fix: `Change the request so that it gets ${expected}, or expect ${status}.`,
  })
  return [...noted, { ...unmet, expected: false }]
}

/** The first violations; of a thousand, fifty say enough. */
function firstOf(violations: readonly NotedViolation[]): readonly NotedViolation[] {
  if (violations.length <= MOST_VIOLATIONS) return violations
  const more = violations.slice(MOST_VIOLATIONS)
  // What is dropped weighs as much as the gravest of it.
  const { basis, cites, rule } = GRAVEST_FIRST.flatMap(
    (one) => more.find(({ basis }) => basis === one) ?? [],
  )[0] as NotedViolation
  const message = `${more.length} more violations were not kept.`
  const found = { code: 'more-violations', message, where: 'request', fix: 'Fix the others first.', expected: false }
  return [...violations.slice(0, MOST_VIOLATIONS), { ...found, basis, cites, ...(rule !== undefined && { rule }) }]
}

const GRAVEST_FIRST = ['documented', 'suspicious', 'reading'] as const
