import { complainAbout } from '../complaints.js'
import { declared } from '../deliver.js'
import { lint } from '../lint.js'
import type { Step } from './step.js'

/** Every part of the request against the contract, all complaints at once, in the operation's `invalid` status. */
export const validate: Step = ({ request, exchange, contract, settings }) => {
  const unreadable = exchange.violations
  const refused =
    request.validationError === undefined && unreadable.length === 0
      ? []
      : [
          ...complainAbout(contract, 'params', exchange.params),
          ...complainAbout(contract, 'query', exchange.query),
          ...(unreadable.length > 0 ? unreadable : complainAbout(contract, 'form', exchange.form)),
        ]
  const noted = lint(exchange, contract)
  if (refused.length > 0 || noted.length > 0) exchange.violations = [...refused, ...noted]
  const reasons = [...refused, ...noted.filter((one) => settings.strict || one.code === 'unknown-keyword')]
  if (reasons.length === 0) return undefined
  exchange.why = reasons.map(({ message }) => message).join(' ')
  return declared(exchange, contract.invalid, exchange.why)
}
