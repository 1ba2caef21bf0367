import { bodySchema } from '../../../schemas/bodies.js'
import { type Contract, statusesOf, successStatusOf } from '../../../schemas/contract.js'
import { GATEWAY_STATUSES, isGatewayStatus } from '../../../schemas/gateway.js'
import { BODILESS, isOffContract, type Rule, type ScenarioAnswer } from '../../../schemas/scenario.js'
import { quote } from '../../text/wording.js'
import { checkOf } from '../../validation/check.js'
import { describeDeparture, distinctDepartures } from '../../validation/explain.js'

/** What is wrong with a rule though its format is right, and where. */
export interface RuleComplaint {
  readonly path: readonly (string | number)[]
  readonly message: string
}

interface Context {
  readonly contracts: readonly Contract[]
}

/** What the format allows, and the contracts or HTTP do not. */
export function checkRule(rule: Rule, context: Context): RuleComplaint[] {
  const answer = rule.answer ?? {}
  const found = checks.flatMap((check) => check(answer, rule, context))
  // A body is compared with its contract only where the contract declares one.
  return found.length > 0 || isOffContract(rule) ? found : departures(answer, rule, context)
}

type RuleCheck = (answer: ScenarioAnswer, rule: Rule, context: Context) => RuleComplaint[]

const NAMED = ['query', 'path', 'headers', 'body'] as const

const checks: readonly RuleCheck[] = [
  (_, { when = {} }) =>
    NAMED.filter((part) => Object.hasOwn(when[part] ?? {}, '')).map((part) => ({
      path: ['when', part],
      message: `A condition on the ${part} has no name, and so never matches: name the field, or remove the condition.`,
    })),
  ({ status }, rule, { contracts }) => {
    if (status === undefined) return []
    const message = isOffContract(rule) ? impossible(status) : undeclared(status, rule, contracts)
    return message === undefined ? [] : [{ path: ['answer', 'status'], message }]
  },
  ({ status, body }) => {
    if (status === undefined || body === undefined || !BODILESS.has(status)) return []
    return [{ path: ['answer', 'body'], message: `An answer with the status ${status} has no body: leave it out.` }]
  },
  ({ delay }) => {
    if (typeof delay !== 'object' || !('uniform' in delay) || delay.uniform.lower <= delay.uniform.upper) return []
    const { lower, upper } = delay.uniform
    return [
      { path: ['answer', 'delay', 'uniform'], message: `'lower' (${lower}) is above 'upper' (${upper}): swap them.` },
    ]
  },
  ({ effect, status, body, fault }) => {
    if (effect !== 'after' || [status, body, fault].some((one) => one !== undefined)) return []
    const message = "'effect: after' needs a status, a body or a fault that replaces the answer."
    return [{ path: ['answer', 'effect'], message }]
  },
  ({ headers = {} }) =>
    Object.entries(headers).flatMap(([name, value]) => {
      const message = headerMistake(name, value)
      return message === undefined ? [] : [{ path: ['answer', 'headers', name], message }]
    }),
]

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
/** What frames the answer, and what the mock says of it. */
const RESERVED =
  /^(content-length|transfer-encoding|trailer|connection|keep-alive|upgrade|date|preference-applied|x-mock-.*)$/i

/** Whether the server sets a header itself, so that no rule may. */
export const isReserved = (name: string) => RESERVED.test(name)

/** What no header may hold (RFC 9110, section 5.5). */
const UNSENDABLE = /[^\t\u0020-\u007e\u0080-\u00ff]/

function headerMistake(name: string, value: string): string | undefined {
  if (isReserved(name)) return `The header ${quote(name)} is set by the server: leave it out.`
  if (!HEADER_NAME.test(name)) return `${quote(name)} is not a header name: use letters, digits and hyphens.`
  return UNSENDABLE.test(value) ? `A header is one line of Latin-1 text, not ${quote(value)}.` : undefined
}

/** How the body departs from the first contract that it does not fit. */
function departures({ status: given, body }: ScenarioAnswer, rule: Rule, context: Context): RuleComplaint[] {
  if (body === undefined) return []
  for (const contract of operationsOf(rule, context.contracts)) {
    const status = given ?? successStatusOf(contract)
    const schema = bodySchema(contract, status)
    const [first] = schema === undefined ? [] : distinctDepartures(checkOf(schema)(body))
    if (first === undefined) continue
    const message = `The body departs from the contract of ${contract.id}:${status}: ${describeDeparture(first)} Fix it, or add 'offContract: true' to the rule.`
    return [{ path: ['answer', 'body', ...first.path], message }]
  }
  return []
}

function operationsOf({ on }: Rule, contracts: readonly Contract[]): readonly Contract[] {
  if (on === '*') return contracts
  const ids = [on].flat() as string[]
  return contracts.filter(({ id }) => ids.includes(id))
}

/** Why an operation of the rule cannot answer with a status, neither by itself nor behind a gateway. */
function undeclared(status: number, rule: Rule, contracts: readonly Contract[]): string | undefined {
  const contract = operationsOf(rule, contracts).find(
    (one) => !(status in one.responses) && !isGatewayStatus(one, status),
  )
  if (contract === undefined) return undefined
  const others = contracts.filter((one) => status in one.responses).map(({ id }) => id)
  const hint = others.length > 0 ? ` ${status} is declared by ${others.join(', ')}.` : ''
  return `${contract.id} does not declare ${status}. It declares ${statusesOf(contract).join(', ')}; gateway statuses are ${GATEWAY_STATUSES.join(', ')}; any other needs 'offContract: true'.${hint}`
}

function impossible(status: number): string | undefined {
  return status >= 200 && status <= 599
    ? undefined
    : `No answer can have the status ${status}: use one from 200 to 599.`
}
