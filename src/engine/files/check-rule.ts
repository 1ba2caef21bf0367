import { findMismatches } from '../contract/check.js'
import type { DataComplaint } from '../contract/complaint.js'
import {
  BODILESS,
  type Contract,
  GATEWAY_STATUSES,
  isGatewayStatus,
  statusesOf,
  successStatusOf,
} from '../contract/contract.js'
import { bodySchema } from '../contract/envelopes.js'
import { groupBy } from '../contract/group-by.js'
import { JSON_MEDIA_TYPE } from '../contract/json.js'
import { quote } from '../contract/wording.js'
import { HEADER_NAME, type Rule } from './scenario.js'
import { dedupeMismatches, describeMismatch } from './validate-source.js'

/** Checks a rule against the contracts and HTTP, which the schema cannot express. */
export function checkRule(rule: Rule, contracts: readonly Contract[]): DataComplaint[] {
  const { status, body, delay, effect, fault, headers = {} } = rule.answer ?? {}
  const operations: readonly string[] = [rule.on].flat()
  const matching = rule.on === '*' ? contracts : contracts.filter(({ id }) => operations.includes(id))
  const complaints: DataComplaint[] = []
  const isOfGateway = status !== undefined && matching.every((contract) => isGatewayStatus(contract, status))
  const complain = (path: DataComplaint['path'], message: string) => complaints.push({ path, message })

  const undeclared = matching.find(
    (contract) => !(status === undefined || status in contract.responses || isGatewayStatus(contract, status)),
  )
  if (status !== undefined && rule.offContract && (status < 200 || status > 599))
    complain(['answer', 'status'], `No answer can have the status ${status}: use one from 200 to 599.`)
  if (status !== undefined && !rule.offContract && undeclared !== undefined)
    complain(['answer', 'status'], doesNotDeclare(undeclared, status, contracts))
  if (status !== undefined && body !== undefined && BODILESS.has(status))
    complain(['answer', 'body'], `An answer with the status ${status} cannot have a body: remove 'body'.`)
  if (typeof delay === 'object' && 'uniform' in delay && delay.uniform.lower > delay.uniform.upper) {
    const { lower, upper } = delay.uniform
    complain(['answer', 'delay', 'uniform'], `'lower' (${lower}) is above 'upper' (${upper}): swap them.`)
  }
  if (effect === 'after' && status === undefined && body === undefined && fault === undefined)
    complain(['answer', 'effect'], "'effect: after' needs a status, a body or a fault that replaces the answer.")
  const spellings = groupBy(Object.keys(headers), (name) => name.toLowerCase())
  for (const [name, value] of Object.entries(headers)) {
    const isContentType = /^content-type$/i.test(name)
    if (!SENDABLE_NAME.test(name))
      complain(['answer', 'headers', name], `${quote(name)} is not a header name: use letters, digits and hyphens.`)
    else if (spellings.get(name.toLowerCase())?.length !== 1)
      complain(['answer', 'headers', name], `Duplicate header ${quote(name)}: write one, with a list of values.`)
    else if (isReserved(name))
      complain(['answer', 'headers', name], `The header ${quote(name)} cannot be set by an answer: remove it.`)
    else if ([value].flat().some((line) => UNSENDABLE_VALUE.test(line)))
      complain(['answer', 'headers', name], `A header is one line of Latin-1 text, not ${quote(value)}.`)
    else if (isContentType && Array.isArray(value))
      complain(['answer', 'headers', name], `An answer has one content type, not ${quote(value)}: write only one.`)
    else if (isContentType && !isOfGateway && !rule.offContract && !JSON_MEDIA_TYPE.test(String(value)))
      complain(['answer', 'headers', name], `By contract, answers are JSON, not ${quote(value)}. ${FIX_OR_MARK}`)
  }
  const skipsBody = complaints.length > 0 || rule.offContract || body === undefined
  return skipsBody ? complaints : checkBody(body, status, matching)
}

/** Headers that a proxy does not forward (RFC 9110, section 7.6.1). */
export const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const SERVER_HEADER = /^(content-encoding|content-length|date|preference-applied|x-mock-.*)$/i

/** Headers that a rule cannot set. */
export const isReserved = (name: string) =>
  SERVER_HEADER.test(name) || (HOP_BY_HOP.test(name) && !/^proxy-/i.test(name))

const FIX_OR_MARK = "Fix it, or add 'offContract: true' to the rule."

const SENDABLE_NAME = new RegExp(HEADER_NAME)

const UNSENDABLE_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/

function doesNotDeclare(contract: Contract, status: number, contracts: readonly Contract[]): string {
  const others = contracts.filter((other) => status in other.responses).map(({ id }) => id)
  const hint = others.length > 0 ? ` ${status} is declared by ${others.join(', ')}.` : ''
  return `${contract.id} does not declare ${status}. It declares ${statusesOf(contract).join(', ')}; gateway statuses are ${GATEWAY_STATUSES.join(', ')}; any other needs 'offContract: true'.${hint}`
}

function checkBody(body: unknown, ruleStatus: number | undefined, contracts: readonly Contract[]): DataComplaint[] {
  for (const contract of contracts) {
    const status = ruleStatus ?? successStatusOf(contract)
    const schema = bodySchema(contract, status)
    const [first] = schema === undefined ? [] : dedupeMismatches(findMismatches(schema, body))
    if (first === undefined) continue
    const message = `The body departs from the contract of ${contract.id}:${status}: ${describeMismatch(first)} ${FIX_OR_MARK}`
    const needsText = [first.expected.type].flat().includes('string')
    return [{ path: ['answer', 'body', ...first.path], message, needsText }]
  }
  return []
}
