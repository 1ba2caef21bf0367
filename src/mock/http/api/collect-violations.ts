import { type Contract, invalidStatusOf } from '../../../../schemas/contract.js'
import { lint } from '../../validation/lint.js'
import { documentedPlaceOf } from '../../validation/names.js'
import { violationsIn } from '../../validation/request-violations.js'
import type { Violation } from '../../validation/violation.js'
import type { Caller } from './authenticate.js'
import { type Answer, type Call, NO_VIOLATIONS } from './call.js'
import { declaredAnswer } from './declared-answer.js'

export interface CollectedViolations {
  /** Answered with the `invalid` status. */
  readonly refused: readonly Violation[]
  /** The refused violations, with better explanations where there are some. */
  readonly reasons: readonly Violation[]
  /** All that the journal notes, one for each place. */
  readonly all: readonly Violation[]
}

/** Collects every violation. The parts are checked one by one only if Fastify's validation failed. */
export function collectViolations(call: Call, violations: Caller['violations']): CollectedViolations {
  const suspicions = lint(call, call.contract)
  const isInvalid = call.request.validationError !== undefined || call.unreadable !== null
  const refused = isInvalid ? mismatches(call) : NO_VIOLATIONS
  if (refused.length + suspicions.length === 0) return { refused, reasons: refused, all: violations }
  const { reasons, others } = oneForEachPlace(call, refused, suspicions)
  return { refused, reasons, all: [...violations, ...reasons, ...others] }
}

/** With `--strict`, also refuses violations that are otherwise only noted. */
export function refuseInvalid(call: Call, { refused, reasons, all }: CollectedViolations): Answer | undefined {
  const { strict } = call.sandbox.settings
  const told = strict ? all : refused
  const status = statusFor(call.contract, refused)
  if (told.length === 0 || status === undefined) return undefined
  const why = told.map(({ message }) => message).join(' ')
  return {
    step: 'validate',
    cause: 'natural',
    why,
    violations: all,
    reasons: strict ? all : reasons,
    ...declaredAnswer(call, status, why),
  }
}

/**
 * Keeps one violation for each place: a suspicious value explains more than the interpretation that refuses it, and a
 * wrong name more than "missing".
 */
function oneForEachPlace(call: Call, refused: readonly Violation[], suspicions: readonly Violation[]) {
  const left = new Set(suspicions)
  const reasons = refused.map((one) => {
    const better = suspicions.find((other) =>
      one.code === 'missing-parameter'
        ? documentedPlaceOf(other, call.contract, call) === one.where
        : one.basis !== 'documented' && other.basis === 'suspicious' && other.where === one.where,
    )
    if (better !== undefined) left.delete(better)
    return better ?? one
  })
  const places = new Set(refused.map(({ where }) => where))
  const others = [...left].filter(({ code, where }) => code === 'unencoded-plus' || !places.has(where))
  return { reasons, others }
}

function mismatches({ contract, params, query, form, unreadable }: Call): readonly Violation[] {
  return [
    ...violationsIn(contract, 'params', params),
    ...violationsIn(contract, 'query', query),
    ...(unreadable === null ? violationsIn(contract, 'form', form) : [unreadable]),
  ]
}

/** A parameter may have a status of its own (I-04). */
function statusFor(contract: Contract, refused: readonly Violation[]): number | undefined {
  const statuses = refused.map(({ where }) => invalidStatusOf(contract, where.replace(/^query\./, '')))
  return statuses.find((status) => status !== contract.invalid) ?? contract.invalid
}
