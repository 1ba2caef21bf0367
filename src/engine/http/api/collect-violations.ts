import type { ErrorObject } from 'ajv'
import { type Contract, invalidStatusOf } from '../../contract/contract.js'
import { type Answer, NEW_ANSWER } from '../../journal/exchange.js'
import { lint } from '../../judge/lint.js'
import { documentedPlacesOf } from '../../judge/names.js'
import { type RequestPart, violationsIn } from '../../judge/request-violations.js'
import { leadingTo, NO_VIOLATIONS, type Violation } from '../../judge/violation.js'
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
  return { ofToken, invalid, ...oneForEachPlace(call, invalid, suspicions) }
}

export function allOf({ ofToken, explained, others }: CollectedViolations): readonly Violation[] {
  return explained.length + others.length === 0 ? ofToken : [...ofToken, ...explained, ...others]
}

/** With `--strict`, also for violations that are otherwise only noted. */
export function answerInvalid(call: Call, found: CollectedViolations): Answer | undefined {
  const { ofToken, invalid, explained, others } = found
  const { strict } = call.sandbox.settings
  const told = strict ? allOf(found) : invalid
  if (told.length === 0) return undefined
  const status = statusFor(call.contract, invalid)
  if (status === undefined) return undefined
  const why = told.map(({ message }) => message).join(' ')
  const lead = (violations: readonly Violation[]) => leadingTo(status, violations, call.request.preferences?.expect)
  const violations = strict ? lead(told) : [...ofToken, ...lead(explained), ...others]
  return { ...NEW_ANSWER, ...declaredAnswer(call, status, why), step: 'validate', why, violations }
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

/**
 * Keeps one violation for each place: a suspicious value explains more than the interpretation that makes it invalid,
 * and a wrong name more than "missing".
 */
function oneForEachPlace(call: Call, invalid: readonly Violation[], suspicions: readonly Violation[]) {
  const left = new Set(suspicions)
  const byMeantPlace = new Map<string, Violation>()
  if (invalid.some(({ code }) => code === 'missing-parameter'))
    for (const one of suspicions.toReversed())
      for (const place of documentedPlacesOf(one, call.contract, call.request)) byMeantPlace.set(place, one)
  const explained = invalid.map((one) => {
    const better =
      one.code === 'missing-parameter'
        ? byMeantPlace.get(one.where)
        : suspicions.find(
            (other) =>
              one.code !== 'repeated-parameter' &&
              (one.basis !== 'documented' || other.code === 'misnamed-field') &&
              other.basis === 'suspicious' &&
              other.code !== 'padded-value' &&
              other.where === one.where,
          )
    if (better !== undefined) left.delete(better)
    return better ?? one
  })
  const once = new Map(explained.map((one) => [`${one.code} ${one.where}`, one]))
  const places = new Set(invalid.map(({ where }) => where))
  const others = [...left].filter(({ code, where }) => code === 'unencoded-plus' || !places.has(where))
  return { explained: [...once.values()], others }
}

/** A parameter may have a status of its own (I-04). */
function statusFor(contract: Contract, invalid: readonly Violation[]): number | undefined {
  const statuses = invalid.map(({ where }) => invalidStatusOf(contract, where.replace(/^query\./, '')))
  return statuses.find((status) => status !== contract.invalid) ?? contract.invalid
}
