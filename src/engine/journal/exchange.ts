import type { Fixtures } from '../../../schemas/plain.js'
import { beginningOf } from '../contract/beginning.js'
import { type Contract, outcomeId } from '../contract/contract.js'
import type { FormValue } from '../contract/fields.js'
import type { Fault, ScenarioAnswer } from '../files/scenario.js'
import type { FileEntry, KeptForm, KeptRequest, ReceivedRequest } from '../judge/received-request.js'
import { type Deviation, NO_VIOLATIONS, type Violation } from '../judge/violation.js'
import type { ReadyRule } from '../sandbox/scenarios/scenario.js'

/** The step that answered: one of the decision's, a tool's such as `forward`, or `routing` if no operation was reached. */
type Step = string

export type SandboxSelector = 'url' | 'header' | 'baggage' | 'token'

/** A change of a record that a call brought about. */
export interface Effect {
  /** By the public types: those of the schemas need a package that users have not. */
  readonly collection: Exclude<keyof Fixtures, '$schema' | 'version' | 'extends' | 'counters'>
  readonly key: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** An answer from the decision to the journal, which has the headers and the text that were sent. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** With its envelope. */
  readonly body: unknown
  readonly fault?: Fault | undefined
  readonly step: Step
  /** Why it was given: `natural`, `prefer`, `scenario:NAME#rule`, or a word of a tool's. */
  readonly cause: string
  readonly why: string
  /** The rule of a scenario that gave it. */
  readonly rule?: ReadyRule | undefined
  readonly violations: readonly Violation[]
  readonly deviations?: readonly Deviation[]
  /** Milliseconds. */
  readonly delay?: number
  /** How the body is sent in pieces. */
  readonly dribble?: ScenarioAnswer['dribble']
  readonly offContract?: boolean
  /** The status that it counts as, where a tool altered it. */
  readonly declaredStatus?: number
  /** The code of an answer that only the mock gives, which is no outcome. */
  readonly problem?: string
  /** Present for bytes that another service sent: its headers, and the decoded body or null. */
  readonly passedOn?: { readonly headers: Headers; readonly text: string | null }
  /** A failure that somebody should know of, though there is an answer. */
  readonly notice?: { readonly about: string; readonly message: string }
  readonly effects?: readonly Effect[]
  /** The ids of the mails that were sent. */
  readonly mails?: readonly string[]
}

type Headers = Readonly<Record<string, string | string[]>>

const nothing: Answer = {
  status: 0,
  headers: undefined,
  body: null,
  fault: undefined,
  step: 'routing',
  cause: 'natural',
  why: '',
  rule: undefined,
  violations: NO_VIOLATIONS,
  deviations: undefined,
  delay: undefined,
  dribble: undefined,
  offContract: undefined,
  declaredStatus: undefined,
  problem: undefined,
  passedOn: undefined,
  notice: undefined,
  effects: undefined,
  mails: undefined,
}

/** What the journal has of an exchange without an answer. */
export const UNANSWERED = nothing

/**
 * What an answer begins as: all but the status, the body and the step, which each decides. V8 copies objects ten times as
 * fast where all of them have the same properties.
 */
export const NEW_ANSWER: Omit<Answer, 'status' | 'body' | 'step'> = nothing

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
  readonly answer: Answer
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
  return contract === null || status === null || answer.problem !== undefined ? null : outcomeId(contract, status)
}

/** The outcome if the operation declares it, unlike that of a gateway or of a rule with `offContract`. */
export function declaredOutcomeOf(exchange: Exchange): string | null {
  const { contract, status, answer } = exchange
  if (contract === null || status === null || answer.problem !== undefined) return null
  const declared = answer.declaredStatus ?? status
  return declared in contract.responses ? outcomeId(contract, declared) : null
}

/** Characters. */
const MOST_KEPT = 16 * 1024
const LONGEST_REASON = 2_000

export function keepRequest(request: ReceivedRequest): KeptRequest {
  const { form, meantForm, text } = request
  const kept = form && keepForm(form)
  const meant = meantForm && keepForm(meantForm)
  const keptText = text && beginningOf(text, MOST_KEPT)
  return {
    ...request,
    form: kept?.form ?? null,
    meantForm: meant?.form ?? null,
    text: keptText,
    bytes: null,
    isCut: meant === null ? kept?.isCut === true || keptText !== text : meant.isCut,
  }
}

/** `text` is the body that was sent. */
export function keepAnswer(answer: Answer, text: string | null): Answer {
  const { why, violations, deviations } = answer
  return {
    ...answer,
    body: text && beginningOf(text, MOST_KEPT),
    why: beginningOf(why, LONGEST_REASON),
    violations: violations.length === 0 ? violations : keepFirst(violations),
    deviations: deviations && keepFirst(deviations),
    passedOn: undefined,
  }
}

function keepFirst<T extends Violation | Deviation>(all: readonly T[]): readonly T[] {
  let left = MOST_KEPT
  return all.filter((one) => {
    left -= one.message.length + one.where.length + ('fix' in one ? one.fix.length : 0)
    return left >= 0
  })
}

const COST_OF_FILE = 100

function keepForm(form: NonNullable<ReceivedRequest['form']>): { readonly form: KeptForm; readonly isCut: boolean } {
  let left = MOST_KEPT
  const keep = (value: FormValue): string | FileEntry => {
    const room = Math.max(left, 0)
    if (typeof value === 'string') {
      left -= value.length
      return beginningOf(value, room)
    }
    const { filename, mimetype, size, sha256 } = value
    left -= COST_OF_FILE + filename.length
    return { filename: beginningOf(filename, room), mimetype: beginningOf(mimetype, COST_OF_FILE), size, sha256 }
  }
  const kept: Record<string, KeptForm[string]> = Object.create(null)
  for (const [name, value] of Object.entries(form)) {
    left -= name.length
    if (left < 0) break
    kept[name] = Array.isArray(value) ? value.map(keep) : keep(value as FormValue)
  }
  return { form: kept, isCut: left < 0 }
}
