import type { ErrorObject } from 'ajv'
import { type Contract, invalidStatusOf } from '../../contract/contract.js'
import { NO_EFFECTS, type ServiceAnswer } from '../../journal/exchange.js'
import { lint } from '../../judge/lint.js'
import { type RequestPart, violationsIn } from '../../judge/request-violations.js'
import { markRefused, NO_VIOLATIONS, RANKS, type Violation } from '../../judge/violation.js'
import type { Call } from './call.js'
import { declaredAnswer } from './declared-answer.js'

export interface CollectedViolations {
  readonly ofToken: readonly Violation[]
  /** Found by the schemas, and answered with the `invalid` status. */
  readonly invalid: readonly Violation[]
  /** The same, with better explanations where there are some. */
  readonly explained: readonly Violation[]
  /** Only noted. */
  readonly others: readonly Violation[]
}

export function collectViolations(call: Call, ofToken: readonly Violation[]): CollectedViolations {
  const suspicions = lint(call.request, call.contract)
  const invalid = findInvalid(call)
  if (invalid.length + suspicions.length === 0) return { ofToken, invalid, explained: invalid, others: invalid }
  return { ofToken, invalid, ...dedupeByParameter(invalid, suspicions) }
}

export function allOf({ ofToken, explained, others }: CollectedViolations): readonly Violation[] {
  return explained.length + others.length === 0 ? ofToken : [...ofToken, ...explained, ...others]
}

/** With `--strict`, also for violations that are otherwise only noted. */
export function answerInvalid(call: Call, found: CollectedViolations): ServiceAnswer | undefined {
  const { ofToken, invalid, explained, others } = found
  const { strict } = call.sandbox.settings
  const toReport = strict ? allOf(found) : invalid
  if (toReport.length === 0) return undefined
  const status = statusFor(call.contract, invalid)
  if (status === undefined) return undefined
  const why = toReport.map(({ message }) => message).join(' ')
  const refuse = (violations: readonly Violation[]) => markRefused(status, violations, call.request.preferences?.expect)
  const violations = strict ? refuse(toReport) : [...ofToken, ...refuse(explained), ...others]
  return {
    kind: 'service',
    ...declaredAnswer(call, status, why),
    step: 'validate',
    cause: 'natural',
    why,
    violations,
    ...NO_EFFECTS,
    playing: null,
  }
}

/** The parts of a request in the order in which Fastify validates them, and what Fastify calls them. */
const PARTS: readonly (readonly [RequestPart, 'params' | 'body' | 'querystring'])[] = [
  ['params', 'params'],
  ['form', 'body'],
  ['query', 'querystring'],
]

/** Fastify stops at the first part that is invalid: its own validators are asked for those behind it. */
function findInvalid({ contract, request, fastify, isValidated }: Call): readonly Violation[] {
  const { validationError: first } = fastify.request
  if (isValidated && first === undefined) return NO_VIOLATIONS
  const firstAt = PARTS.findIndex(([, part]) => part === first?.validationContext)
  const found: { [Part in RequestPart]?: readonly Violation[] } = {}
  for (const [part, fastifyPart] of PARTS.slice(Math.max(firstAt, 0))) {
    if (part === 'form' && request.unreadable !== null) found.form = [request.unreadable]
    else {
      const isKnown = fastifyPart === first?.validationContext
      const errors = isKnown ? (first?.validation as ErrorObject[]) : askFastify(fastify.request, fastifyPart)
      if (errors.length > 0) found[part] = violationsIn(contract, part, errors, request)
    }
  }
  const { params = [], query = [], form = [] } = found
  return [...params, ...query, ...form]
}

function askFastify(
  request: Call['fastify']['request'],
  part: 'params' | 'body' | 'querystring',
): readonly ErrorObject[] {
  const validate = request.getValidationFunction(part)
  const value = part === 'querystring' ? request.query : request[part]
  return validate === undefined || validate(value) === true ? [] : ((validate.errors ?? []) as ErrorObject[])
}

/** Keeps one violation for each parameter: the first of all ranks, and for a missing one the reason why it is missing. */
function dedupeByParameter(invalid: readonly Violation[], suspicions: readonly Violation[]) {
  const explained = invalid.map((one) => {
    const isMissing = one.about.rank === 'missing'
    const better = suspicions.filter((other) =>
      isMissing ? other.about.explains.includes(one.where) : other.where === one.where && isBefore(other, one),
    )
    return better[0] ?? one
  })
  const places = new Set(invalid.map(({ where }) => where))
  const isExplained = (one: Violation) =>
    suspicions.some((other) => other !== one && other.about.explains.includes(one.where))
  const others = suspicions.filter((one) => !explained.includes(one) && !places.has(one.where) && !isExplained(one))
  return { explained: [...new Set(explained)], others }
}

function isBefore({ about }: Violation, other: Violation): boolean {
  return about.rank === RANKS[0] || RANKS.indexOf(about.rank) < RANKS.indexOf(other.about.rank)
}

/** A parameter may have a status of its own. */
function statusFor(contract: Contract, invalid: readonly Violation[]): number | undefined {
  const statuses = invalid.map(({ about }) => invalidStatusOf(contract, about.name))
  return statuses.find((status) => status !== contract.invalid) ?? contract.invalid
}
