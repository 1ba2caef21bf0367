import { type Contract, refusalStatusOf } from '../../../schemas/contract.js'
import { lint } from '../../validation/lint.js'
import { violationsIn } from '../../validation/request-violations.js'
import type { Violation } from '../../validation/violation.js'
import type { Caller } from './authenticate.js'
import { type Answer, type Call, NO_VIOLATIONS } from './call.js'
import { declaredAnswer } from './declared-answer.js'

/** How a call departs from its contract. */
export interface Judgement {
  /** Those that the operation refuses. */
  readonly refused: readonly Violation[]
  /** All that the journal notes: the token's, the refused ones and likely mistakes, one for each place. */
  readonly all: readonly Violation[]
}

/** Collects every violation of a call: of all parts if Fastify found one that does not fit, an unreadable body, likely mistakes. */
export function judge(call: Call, { violations }: Pick<Caller, 'violations'>): Judgement {
  const suspicions = lint(call, call.contract)
  const isInvalid = call.request.validationError !== undefined || call.unreadable !== null
  const refused = isInvalid ? departures(call) : NO_VIOLATIONS
  if (refused.length + suspicions.length === 0) return { refused, all: violations }
  return { refused, all: [...violations, ...oneForEachPlace(refused, suspicions)] }
}

/** All violations in one answer, in the operation's `invalid` status; with `--strict` also those that are only noted. */
export function refuseInvalid(call: Call, { refused, all }: Judgement): Answer | undefined {
  const reasons = call.world.settings.strict ? all : refused
  if (reasons.length === 0) return undefined
  const why = reasons.map(({ message }) => message).join(' ')
  const status = statusFor(call.contract, refused)
  return { ...declaredAnswer(call, status, why), step: 'validate', cause: 'natural', why, violations: all }
}

/** A place has one violation; a likely mistake says more than an interpretation that refuses it. */
function oneForEachPlace(refused: readonly Violation[], suspicions: readonly Violation[]): readonly Violation[] {
  const placesOf = (all: readonly Violation[]) => new Set(all.map(({ where }) => where))
  const documented = placesOf(refused.filter(({ basis }) => basis === 'documented'))
  const suspicious = placesOf(suspicions.filter(({ basis, where }) => basis === 'suspicious' && !documented.has(where)))
  const places = placesOf(refused)
  return [
    ...refused.filter(({ where }) => !suspicious.has(where)),
    ...suspicions.filter(({ code, where }) => code === 'unencoded-plus' || suspicious.has(where) || !places.has(where)),
  ]
}

function departures({ contract, params, query, form, unreadable }: Call): readonly Violation[] {
  return [
    ...violationsIn(contract, 'params', params),
    ...violationsIn(contract, 'query', query),
    ...(unreadable === null ? violationsIn(contract, 'form', form) : [unreadable]),
  ]
}

/** The status of the first parameter that has one of its own (I-04), else the operation's. */
function statusFor(contract: Contract, refused: readonly Violation[]): number {
  const statuses = refused.map(({ where }) => refusalStatusOf(contract, where.replace(/^query\./, '')))
  return statuses.find((status) => status !== contract.invalid) ?? contract.invalid
}
