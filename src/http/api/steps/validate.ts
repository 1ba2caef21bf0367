import { lint } from '../../../validation/lint.js'
import { violationsIn } from '../../../validation/request-violations.js'
import { declaredAnswer } from '../answer.js'
import type { Step } from '../step-context.js'

/** Every part of the request against the contract, all violations at once, in the operation's `invalid` status. */
export const validate: Step = (context) => {
  const { exchange, contract, unreadable, world } = context
  const refused = [
    ...violationsIn(contract, 'params', exchange.params),
    ...violationsIn(contract, 'query', exchange.query),
    ...(unreadable === null ? violationsIn(contract, 'form', exchange.form) : [unreadable]),
  ]
  const places = new Set(refused.map(({ where }) => where))
  const noted = lint(exchange, contract).filter(({ code, where }) => code === 'unencoded-plus' || !places.has(where))
  if (refused.length > 0 || noted.length > 0) exchange.violations = [...exchange.violations, ...refused, ...noted]
  const reasons = world.settings.strict ? exchange.violations : refused
  if (reasons.length === 0) return undefined
  exchange.why = reasons.map(({ message }) => message).join(' ')
  return declaredAnswer(context, contract.invalid, exchange.why)
}
