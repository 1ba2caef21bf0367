import type { Contract } from '../contract/contract.js'
import { outcomeId } from '../contract/contract.js'
import type { FormValue } from '../contract/fields.js'
import { truncate } from '../contract/wording.js'
import type { Fault, LocatedRule, ScenarioAnswer } from '../files/scenario.js'
import type { FileEntry, KeptForm, KeptRequest, ReceivedRequest } from '../judge/received-request.js'
import { type Deviation, NO_VIOLATIONS, type Violation } from '../judge/violation.js'

/** The part of a request that named its sandbox. */
export type SandboxSelector = 'url' | 'header' | 'token'

/** A change of a record that a call brought about. */
export interface Effect {
  readonly collection: string
  readonly key: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** What a call changed and sent. */
export interface Effects {
  readonly effects: readonly Effect[]
  /** The ids of mails. */
  readonly mails: readonly string[]
}

export const NO_EFFECTS: Effects = { effects: [], mails: [] }

export type Headers = Readonly<Record<string, string | string[]>>

/** How a rule of a scenario has an answer sent. */
export interface Playing {
  readonly rule: LocatedRule
  /** Milliseconds. */
  readonly delay: number
  readonly dribble: ScenarioAnswer['dribble']
  readonly headers: Headers
}

interface Decision extends Effects {
  /** The step that answered: one of the decision's, a tool's such as `forward`, or `routing` if no operation was reached. */
  readonly step: string
  /** `natural`, `prefer`, `scenario:NAME#rule`, or a word of a tool's. */
  readonly cause: string
  readonly why: string
  readonly violations: readonly Violation[]
  /** Null if no rule played a part. */
  readonly playing: Playing | null
}

/** What the service says: its body has its envelope. */
export interface ServiceAnswer extends Decision {
  readonly kind: 'service'
  readonly status: number
  readonly body: unknown
}

/** What somebody asked for in place of the service's answer. */
export interface ScriptedAnswer extends Decision {
  readonly kind: 'scripted'
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
  readonly deviations: readonly Deviation[]
  readonly offContract: boolean
}

/** A connection that fails. */
export interface FaultAnswer extends Decision {
  readonly kind: 'fault'
  readonly fault: Fault
}

/** The bytes that another service sent. */
export interface ForwardedAnswer extends Decision {
  readonly kind: 'forwarded'
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** The decoded body; null without one. */
  readonly text: string | null
  readonly deviations: readonly Deviation[]
}

/** What only the mock says, which is no outcome. */
interface ProblemAnswer extends Decision {
  readonly kind: 'problem'
  readonly code: string
  readonly status: number
  readonly headers: Headers
}

/** An answer from the decision until it is sent. */
export type Answer = ServiceAnswer | ScriptedAnswer | FaultAnswer | ForwardedAnswer | ProblemAnswer

/** What the journal keeps of an answer, in whatever way it was decided. */
export interface KeptAnswer extends Omit<Decision, 'playing'> {
  readonly rule: LocatedRule | null
  readonly deviations: readonly Deviation[]
  readonly offContract: boolean
  readonly fault: Fault | null
  /** The code of an answer that only the mock gives. */
  readonly problem: string | null
  /** Those that were sent. */
  readonly headers: Headers
  /** The body that was sent, or its beginning. */
  readonly text: string | null
}

/** What the journal has of an exchange without an answer. */
export const NO_ANSWER: KeptAnswer = {
  step: 'routing',
  cause: 'natural',
  why: '',
  violations: NO_VIOLATIONS,
  ...NO_EFFECTS,
  rule: null,
  deviations: [],
  offContract: false,
  fault: null,
  problem: null,
  headers: {},
  text: null,
}

/** The full name of a test, and its file. */
export interface TestName {
  readonly title?: string
  readonly file?: string
}

/** One request with its answer (RFC 9110). */
export interface Exchange {
  readonly id: string
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  /** Null for the root. */
  readonly sandbox: string | null
  /** How the request named the sandbox; null for the root. */
  readonly sandboxBy: SandboxSelector | null
  /** The test that sent it, as far as the sandbox knows. */
  readonly test: TestName
  /** Null if no operation matches. */
  readonly contract: Contract | null
  readonly request: KeptRequest
  readonly answer: KeptAnswer
  /** Null if a fault, or the end of the connection, came in place of the answer. */
  readonly status: number | null
  /** Milliseconds. */
  readonly duration: number
  /** True if the sandbox was reset in the meantime. */
  readonly isPast: boolean
}

/** An answer is forced if the client or a scenario asked for it. */
export function isForced(cause: string): boolean {
  return cause === 'prefer' || cause.startsWith('scenario:')
}

/** Null where an answer is no outcome. */
export function outcomeOf({ contract, status, answer }: Exchange): string | null {
  return contract === null || status === null || answer.problem !== null ? null : outcomeId(contract, status)
}

/** The outcome if the operation declares it, unlike that of a gateway or of a rule with `offContract`. */
export function declaredOutcomeOf(exchange: Exchange): string | null {
  const { contract, status } = exchange
  return contract !== null && status !== null && status in contract.responses ? outcomeOf(exchange) : null
}

/** Characters. */
const MOST_KEPT = 16 * 1024
const LONGEST_REASON = 2_000

export function keepRequest(request: ReceivedRequest): KeptRequest {
  const { form, meantForm, text } = request
  const kept = form && keepForm(form)
  const meant = meantForm && keepForm(meantForm)
  const keptText = text && truncate(text, MOST_KEPT)
  return {
    ...request,
    form: kept?.form ?? null,
    meantForm: meant?.form ?? null,
    text: keptText,
    bytes: null,
    isCut: meant === null ? kept?.isCut === true || keptText !== text : meant.isCut,
  }
}

/** `headers` and `text` are those that were sent. */
export function keepAnswer(answer: Answer, headers: Headers, text: string | null): KeptAnswer {
  const { step, cause, why, violations, effects, mails, playing } = answer
  const deviations = answer.kind === 'scripted' || answer.kind === 'forwarded' ? answer.deviations : []
  return {
    step,
    cause,
    why: truncate(why, LONGEST_REASON),
    violations: keepFirst(violations),
    effects,
    mails,
    rule: playing?.rule ?? null,
    deviations: keepFirst(deviations),
    offContract: answer.kind === 'scripted' && answer.offContract,
    fault: answer.kind === 'fault' ? answer.fault : null,
    problem: answer.kind === 'problem' ? answer.code : null,
    headers,
    text: text && truncate(text, MOST_KEPT),
  }
}

/** Characters that each has in an entry beside its texts. */
const COST_OF_VIOLATION = 250
const COST_OF_FILE = 100

function keepFirst<T extends Violation | Deviation>(all: readonly T[]): readonly T[] {
  if (all.length === 0) return all
  let left = MOST_KEPT
  return all.filter((one) => {
    left -= COST_OF_VIOLATION + one.message.length + one.where.length + ('fix' in one ? one.fix.length : 0)
    return left >= 0
  })
}

function keepForm(form: NonNullable<ReceivedRequest['form']>): { readonly form: KeptForm; readonly isCut: boolean } {
  let left = MOST_KEPT
  const keep = (value: FormValue): string | FileEntry => {
    const room = Math.max(left, 0)
    if (typeof value === 'string') {
      left -= value.length
      return truncate(value, room)
    }
    const { filename, mimetype, size, sha256 } = value
    left -= COST_OF_FILE + filename.length
    return { filename: truncate(filename, room), mimetype: truncate(mimetype, COST_OF_FILE), size, sha256 }
  }
  const kept: Record<string, KeptForm[string]> = Object.create(null)
  for (const [name, value] of Object.entries(form)) {
    left -= name.length
    if (left < 0) break
    kept[name] = Array.isArray(value) ? value.map(keep) : keep(value as FormValue)
  }
  return { form: kept, isCut: left < 0 }
}
