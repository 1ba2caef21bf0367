import { type Contract, outcomeId } from '../contract/contract.js'
import type { FileEntry, FormValue } from '../contract/fields.js'
import { truncate } from '../contract/wording.js'
import type { Fault, LocatedRule, ScenarioAnswer } from '../files/scenario.js'
import type { KeptForm, KeptRequest, ReceivedRequest } from '../judge/received-request.js'
import { type Deviation, NO_VIOLATIONS, type Violation } from '../judge/violation.js'

export type SandboxSelector = 'url' | 'header' | 'token'

export interface Effect {
  readonly collection: string
  readonly key: string
  readonly change: 'added' | 'changed' | 'removed'
}

export interface Effects {
  readonly effects: readonly Effect[]
  readonly mails: readonly string[]
}

export const NO_EFFECTS: Effects = { effects: [], mails: [] }

export type Headers = Readonly<Record<string, string | string[]>>

export interface AppliedRule {
  readonly rule: LocatedRule
  readonly delay: number
  readonly dribble: ScenarioAnswer['dribble']
  readonly headers: Headers
}

interface Decision extends Effects {
  /** The step that decided, such as `operate`, or `forward` of a tool; `routing` if none did. */
  readonly step: string
  /** `natural` (by the contract), `prefer` (the Prefer header), `scenario:NAME#rule`, or the cause that a tool sets. */
  readonly cause: string
  readonly why: string
  readonly violations: readonly Violation[]
  readonly isUnjudged?: boolean
  readonly appliedRule?: AppliedRule
}

export interface ServiceAnswer extends Decision {
  readonly kind: 'service'
  readonly status: number
  readonly body: unknown
}

export interface ScriptedAnswer extends Decision {
  readonly kind: 'scripted'
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
  readonly deviations: readonly Deviation[]
  readonly offContract: boolean
}

export interface FaultAnswer extends Decision {
  readonly kind: 'fault'
  readonly fault: Fault
}

export interface ForwardedAnswer extends Decision {
  readonly kind: 'forwarded'
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string | null
  readonly deviations: readonly Deviation[]
  /** Why the answer was not compared with its contract; null if it was compared. */
  readonly whyUnchecked: string | null
}

/** An answer that the real service never gives: it is no outcome of an operation. */
interface ProblemAnswer extends Decision {
  readonly kind: 'problem'
  readonly code: string
  readonly status: number
}

export type Answer = ServiceAnswer | ScriptedAnswer | FaultAnswer | ForwardedAnswer | ProblemAnswer

export interface KeptAnswer extends Omit<Decision, 'appliedRule'> {
  readonly rule: LocatedRule | null
  readonly deviations: readonly Deviation[]
  readonly whyUnchecked: string | null
  readonly fault: Fault | null
  readonly problem: string | null
  readonly headers: Headers
  readonly text: string | null
  readonly isCut: boolean
}

export const EMPTY_ANSWER: KeptAnswer = {
  step: 'routing',
  cause: 'natural',
  why: '',
  violations: NO_VIOLATIONS,
  isUnjudged: true,
  ...NO_EFFECTS,
  rule: null,
  deviations: [],
  whyUnchecked: null,
  fault: null,
  problem: null,
  headers: {},
  text: null,
  isCut: false,
}

export interface TestName {
  readonly title?: string
  readonly file?: string
}

export interface Exchange {
  readonly id: string
  readonly at: number
  readonly sandbox: string | null
  readonly sandboxBy: SandboxSelector | null
  readonly test: TestName
  readonly contract: Contract | null
  readonly request: KeptRequest
  readonly answer: KeptAnswer
  /** Null for a fault, and if the connection ended. */
  readonly status: number | null
  readonly duration: number
  readonly isBeforeReset: boolean
}

/** `natural` if the rule did not replace the answer, but only delayed it, for example. */
export function causeOfOutcome({ cause, rule }: KeptAnswer): string {
  const { status, body, fault } = rule?.answer ?? {}
  const isReplaced = rule === null || status !== undefined || body !== undefined || fault !== undefined
  return isReplaced ? cause : 'natural'
}

export function isForced(cause: string): boolean {
  return cause === 'prefer' || cause.startsWith('scenario:')
}

export function outcomeOf({ contract, status, answer }: Exchange): string | null {
  return contract === null || status === null || answer.problem !== null ? null : outcomeId(contract, status)
}

/** Null for problems and undeclared statuses. */
export function declaredOutcomeOf(exchange: Exchange): string | null {
  const { contract, status } = exchange
  return contract !== null && status !== null && status in contract.responses ? outcomeOf(exchange) : null
}

/** Characters of a body, or of all violations. */
const MAX_KEPT = 16 * 1024
const LONGEST_REASON = 2_000

export function keepRequest(request: ReceivedRequest): KeptRequest {
  const { form, recoveredForm, text } = request
  const keptForm = form && keepForm(form)
  const keptRecoveredForm = recoveredForm && keepForm(recoveredForm)
  const keptText = text && truncate(text, MAX_KEPT)
  return {
    ...request,
    form: keptForm?.form ?? null,
    recoveredForm: keptRecoveredForm?.form ?? null,
    text: keptText,
    bytes: null,
    isCut: request.isCut || (keptRecoveredForm?.isCut ?? (keptForm?.isCut === true || keptText !== text)),
  }
}

export function keepAnswer(answer: Answer, headers: Headers, text: string | null): KeptAnswer {
  const { step, cause, why, violations, effects, mails, appliedRule } = answer
  const keptText = text && truncate(text, MAX_KEPT)
  const deviations = answer.kind === 'scripted' || answer.kind === 'forwarded' ? answer.deviations : []
  return {
    step,
    cause,
    why: truncate(why, LONGEST_REASON),
    violations: keepFirst(violations),
    isUnjudged: answer.kind === 'problem' || answer.isUnjudged === true,
    effects,
    mails,
    rule: appliedRule?.rule ?? null,
    deviations: keepFirst(deviations),
    whyUnchecked: answer.kind === 'forwarded' ? answer.whyUnchecked : null,
    fault: answer.kind === 'fault' ? answer.fault : null,
    problem: answer.kind === 'problem' ? answer.code : null,
    headers,
    text: keptText,
    isCut: keptText !== text,
  }
}

const COST_OF_VIOLATION = 250
const COST_OF_FILE = 100

/** If not all fit, entries that rest on an interpretation are dropped first. */
function keepFirst<T extends Violation | Deviation>(all: readonly T[], isSorted = false): readonly T[] {
  let room = MAX_KEPT
  for (const [at, one] of all.entries()) {
    room -= COST_OF_VIOLATION + one.message.length + one.where.length + ('fix' in one ? one.fix.length : 0)
    if (room < 0) return isSorted ? all.slice(0, at) : keepFirst(all.toSorted(interpretedLast), true)
  }
  return all
}

function interpretedLast({ basis: left }: Violation | Deviation, { basis: right }: Violation | Deviation): number {
  return Number(left === 'interpretation') - Number(right === 'interpretation')
}

function keepForm(form: NonNullable<ReceivedRequest['form']>): { readonly form: KeptForm; readonly isCut: boolean } {
  let room = MAX_KEPT
  const keep = (value: FormValue): string | FileEntry => {
    const most = Math.max(room, 0)
    if (typeof value === 'string') {
      room -= value.length
      return truncate(value, most)
    }
    const { filename, mimetype, size, sha256 } = value
    room -= COST_OF_FILE + filename.length
    return { filename: truncate(filename, most), mimetype: truncate(mimetype, COST_OF_FILE), size, sha256 }
  }
  const fields: Record<string, KeptForm[string]> = Object.create(null)
  for (const [name, value] of Object.entries(form)) {
    room -= name.length
    if (room < 0) break
    fields[name] = Array.isArray(value)
      ? value.flatMap((item) => (room < 0 ? [] : keep(item)))
      : keep(value as FormValue)
  }
  return { form: fields, isCut: room < 0 }
}
