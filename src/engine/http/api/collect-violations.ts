import type { ErrorObject } from 'ajv'
import { type Contract, invalidStatusOf } from '../../contract/contract.js'
import { NO_EFFECTS, type ServiceAnswer } from '../../journal/exchange.js'
import type { RequestPart } from '../../judge/parameters.js'
import { isPlainRequest } from '../../judge/reading.js'
import { markRefused, type Violation } from '../../judge/violation.js'
import { type FoundViolations, findViolations, NOTHING_FOUND } from '../../judge/violations.js'
import type { Call } from './call.js'
import { declaredAnswer } from './declared-answer.js'

export interface CollectedViolations extends FoundViolations {
  readonly ofToken: readonly Violation[]
}

export function collectViolations(call: Call, ofToken: readonly Violation[]): CollectedViolations {
  const { contract, request } = call
  const errors = errorsOf(call)
  if (errors.size === 0 && isPlainRequest(contract, request)) return { ...NOTHING_FOUND, ofToken }
  return { ...findViolations(contract, request, errors), ofToken }
}

export function allOf({ ofToken, explained, others }: CollectedViolations): readonly Violation[] {
  return explained.length + others.length === 0 ? ofToken : [...ofToken, ...explained, ...others]
}

/** With `--strict`, noted violations count, too. */
export function answerInvalid(call: Call, found: CollectedViolations): ServiceAnswer | undefined {
  const { ofToken, invalid, explained, others } = found
  const { strict } = call.sandbox.settings
  const toReport = strict ? allOf(found) : invalid
  if (toReport.length === 0) return undefined
  const status = statusFor(call.contract, found.names)
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

/** In Fastify's order of validation. */
const PARTS = { path: 'params', form: 'body', query: 'querystring' } as const

/** Fastify stops at the first invalid part; its validators are called for the others. */
function errorsOf({ request, fastify, isValidated }: Call): ReadonlyMap<RequestPart, readonly ErrorObject[]> {
  const { validationError: first } = fastify.request
  if (isValidated && first === undefined) return NO_ERRORS
  const errors = new Map<RequestPart, readonly ErrorObject[]>()
  for (const part of ['path', 'query', 'form'] as const) {
    const isFirst = PARTS[part] === first?.validationContext
    const found = isFirst ? (first?.validation as ErrorObject[]) : askFastify(fastify.request, PARTS[part])
    if (found.length > 0 && !(part === 'form' && request.unreadable !== null)) errors.set(part, found)
  }
  return errors
}

const NO_ERRORS: ReadonlyMap<RequestPart, readonly ErrorObject[]> = new Map()

function askFastify(
  request: Call['fastify']['request'],
  part: 'params' | 'body' | 'querystring',
): readonly ErrorObject[] {
  const validate = request.getValidationFunction(part)
  const value = part === 'querystring' ? request.query : request[part]
  return validate === undefined || validate(value) === true ? [] : ((validate.errors ?? []) as ErrorObject[])
}

/** Some parameters have another status. */
function statusFor(contract: Contract, names: readonly string[]): number | undefined {
  const statuses = names.map((name) => invalidStatusOf(contract, name))
  return statuses.find((status) => status !== contract.invalid) ?? contract.invalid
}
