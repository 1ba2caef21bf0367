import { type Contract, refusalStatusOf } from '../../../../schemas/contract.js'
import { lint } from '../../../validation/lint.js'
import { violationsIn } from '../../../validation/request-violations.js'
import type { Violation } from '../../../validation/violation.js'
import { declaredAnswer } from '../answer.js'
import type { Step, StepContext } from '../step-context.js'

/** Every part of the request against the contract, all violations at once, in the operation's `invalid` status. */
export const validate: Step = (context) => {
  const { exchange, contract, world } = context
  const refused = noteViolations(context, context.request.validationError !== undefined)
  const reasons = world.settings.strict ? exchange.violations : refused
  if (reasons.length === 0) return undefined
  exchange.why = reasons.map(({ message }) => message).join(' ')
  return declaredAnswer(context, statusOf(contract, refused), exchange.why)
}

const NONE: readonly Violation[] = Object.freeze([])

/**
 * Notes every violation of the request, and returns those for which it is refused. `departs`: whether some part of it
 * does not fit its schema; then every part is asked.
 */
export function noteViolations(context: StepContext, departs: boolean): readonly Violation[] {
  const { exchange, contract, unreadable } = context
  const suspicions = lint(exchange, contract)
  if (!departs && unreadable === null && suspicions.length === 0) return NONE
  const refused = departs || unreadable !== null ? departuresOf(context) : NONE
  exchange.violations = [...exchange.violations, ...oneForEachPlace(refused, suspicions)]
  return refused
}

/** What is refused is said once; where only a reading refuses it, that it is surely a mistake says more. */
function oneForEachPlace(refused: readonly Violation[], found: readonly Violation[]): readonly Violation[] {
  const at = (all: readonly Violation[]) => new Set(all.map(({ where }) => where))
  const documented = at(refused.filter(({ basis }) => basis === 'documented'))
  const suspicious = at(found.filter(({ basis, where }) => basis === 'suspicious' && !documented.has(where)))
  const places = at(refused)
  return [
    ...refused.filter(({ where }) => !suspicious.has(where)),
    ...found.filter(({ code, where }) => code === 'unencoded-plus' || suspicious.has(where) || !places.has(where)),
  ]
}

function departuresOf({ exchange, contract, unreadable }: StepContext): readonly Violation[] {
  return [
    ...violationsIn(contract, 'params', exchange.params),
    ...violationsIn(contract, 'query', exchange.query),
    ...(unreadable === null ? violationsIn(contract, 'form', exchange.form) : [unreadable]),
  ]
}

/** The status of the first parameter that has one of its own (I-04), else the operation's. */
function statusOf(contract: Contract, refused: readonly Violation[]): number {
  const statuses = refused.map(({ where }) => refusalStatusOf(contract, where.replace(/^query\./, '')))
  return statuses.find((status) => status !== contract.invalid) ?? contract.invalid
}
