import type { Form, FormValue } from '../../../../schemas/common.js'
import { type Contract, outcomeId } from '../../../../schemas/contract.js'
import type { Fault } from '../../../../schemas/scenario.js'
import type { CurlCall } from '../../text/curl.js'
import { type Deviation, suspicionOf, type Violation } from '../../validation/violation.js'

export type Cause = 'natural' | 'provider' | 'fallback' | 'prefer' | `scenario:${string}`

/** The step that answered; `routing` if no operation was reached. */
export type Step = 'routing' | 'forceOutcome' | 'playScenario' | 'forward' | 'authenticate' | 'validate' | 'operate'

/** An answer is unforced if neither the client nor a scenario asked for it. */
export function isUnforced(cause: Cause): boolean {
  return cause === 'natural' || cause === 'provider' || cause === 'fallback'
}

export type SandboxSelector = 'url' | 'header' | 'baggage' | 'token'

export interface Sent {
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | null
  readonly fault?: Fault
}

export interface ExchangeHead {
  readonly id: string
  /** The name of the sandbox; null for the root. */
  readonly sandbox: string | null
  /** How the request named the sandbox; null for the root. */
  readonly sandboxBy: SandboxSelector | null
  readonly method: string
  readonly url: string
  /** The status of the answer; null while the exchange is in progress, or if a fault replaced the answer. */
  readonly status: number | null
}

/** One request with its answer (RFC 9110), as it is put together when the answer leaves. */
export interface Completed extends ExchangeHead {
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  /** The full name of the test that sent it, if the sandbox knows. */
  readonly test: string | undefined
  readonly contract: Contract | null
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string>>
  readonly form: Form | null
  /** A body that was not read as a form. */
  readonly text: string | null
  /** The status before a mutant altered it. */
  readonly declaredStatus: number | null
  readonly sent: Sent | null
  readonly step: Step
  readonly cause: Cause
  readonly why: string
  readonly violations: readonly Violation[]
  readonly reasons: readonly Violation[]
  readonly deviations: readonly Deviation[]
  readonly expected: number | null
  /** Makes the corrected request when it is looked at. */
  readonly correction: ((exchange: Exchange, redact: (text: string) => string) => CurlCall | undefined) | null
  readonly mutant: string | null
  readonly providerFailure: string | undefined
  /** A secret that the mock added to the request on its way to the provider. */
  readonly secret: string | undefined
  /** The code of an answer that only the mock gives, which is no outcome. */
  readonly problem: string | null
  readonly duration: number
}

export interface FileEntry {
  readonly filename: string
  readonly mimetype: string
  /** The size in bytes. */
  readonly size: number
  readonly sha256: string
}

type FieldEntry = string | FileEntry

export type KeptForm = Readonly<Record<string, FieldEntry | readonly FieldEntry[]>>

export interface NotedViolation extends Violation {
  /** True if it led to a status that the client said it expects. */
  readonly expected: boolean
  /** The status of 4xx that it led to, if it did. */
  readonly refusedWith?: number
}

/** An exchange of the journal, with as much of its texts as is kept. */
export interface Exchange extends Omit<Completed, 'form'> {
  readonly form: KeptForm | null
  readonly violations: readonly NotedViolation[]
  readonly outcome: string | null
  /** The outcome if the operation declares it, unlike that of a gateway or of a rule with `offContract`. */
  readonly declaredOutcome: string | null
  /** True if the journal has only the beginning of the request's body. */
  readonly cut: boolean
  readonly isToken: (text: string) => boolean
}

const MOST_KEPT = 16 * 1024
const LONGEST_REASON = 2_000
const MOST_VIOLATIONS = 50

export function keepExchange(completed: Completed, isToken: Exchange['isToken']): Exchange {
  const { contract, status, declaredStatus, problem, sent, why } = completed
  const isOutcome = problem === null && contract !== null && status !== null
  const isDeclared = isOutcome && declaredStatus !== null && declaredStatus in contract.responses
  const form = completed.form && keepForm(completed.form)
  const text = completed.text && keepBeginning(completed.text)
  return {
    // New properties first: behind the spread, V8 takes ten times as long.
    cut: form?.isCut === true || text !== completed.text,
    outcome: isOutcome ? outcomeId(contract, status) : null,
    declaredOutcome: isDeclared ? outcomeId(contract, declaredStatus) : null,
    isToken,
    ...completed,
    form: form?.kept ?? null,
    text,
    sent: sent?.body ? { ...sent, body: keepBeginning(sent.body) } : sent,
    why: keepBeginning(why, LONGEST_REASON),
    violations: noteViolations(completed),
  }
}

/** The beginning of a text, copied: a slice would keep the whole of it alive. */
function keepBeginning(text: string, most = MOST_KEPT): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()
}

const COST_OF_FILE = 100

function keepForm(form: Form): { readonly kept: KeptForm; readonly isCut: boolean } {
  let left = MOST_KEPT
  const keep = (value: FormValue): FieldEntry => {
    const room = Math.max(left, 0)
    if (typeof value === 'string') {
      left -= value.length
      return keepBeginning(value, room)
    }
    const { filename, mimetype, size, sha256 } = value
    left -= COST_OF_FILE + filename.length
    return { filename: keepBeginning(filename, room), mimetype, size, sha256 }
  }
  const kept: Record<string, FieldEntry | FieldEntry[]> = Object.create(null)
  for (const [name, value] of Object.entries(form)) {
    left -= name.length
    if (left < 0) break
    kept[name] = Array.isArray(value) ? value.map(keep) : keep(value as FormValue)
  }
  return { kept, isCut: left < 0 }
}

const NONE: readonly NotedViolation[] = Object.freeze([])

function noteViolations({ violations, reasons, expected, status }: Completed): readonly NotedViolation[] {
  const isUnmet = expected !== null && status !== null && expected !== status
  if (violations.length === 0 && !isUnmet) return NONE
  const noted = violations.slice(0, MOST_VIOLATIONS).map((violation): NotedViolation => {
    const isReason = reasons.includes(violation) && status !== null && status >= 400
    return { expected: isReason && expected === status, ...(isReason && { refusedWith: status }), ...violation }
  })
  if (!isUnmet) return noted
  const unmet = suspicionOf({
    code: 'expectation-unmet',
    message: `The request says that it expects ${expected}, but it got ${status}.`,
    where: 'request',
    fix: `Change the request so that it gets ${expected}, or expect ${status}.`,
  })
  return [...noted, { expected: false, ...unmet }]
}
