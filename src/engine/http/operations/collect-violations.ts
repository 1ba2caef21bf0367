import type { ErrorObject } from 'ajv'
import { type Contract, invalidStatusOf } from '../../contract/contract.js'
import type { ServiceAnswer } from '../../journal/exchange.js'
import {
  findViolations,
  isPlainRequest,
  NO_REQUEST_VIOLATIONS,
  type RequestViolations,
} from '../../judge/find-violations.js'
import { fileParameterOf, isUpload, type RequestPart } from '../../judge/parameters.js'
import { markRefused, type Violation } from '../../judge/violation.js'
import type { HandlerCall } from '../../operation.js'
import type { Call } from './call.js'
import { serviceAnswer } from './declared-answer.js'
import { declareReply, explainsMistake, mistakeIn } from './operate.js'

/** The answer quotes `schemaViolations`; the journal shows their causes, such as a misnamed field for a missing one. */
export interface CollectedViolations extends RequestViolations {
  readonly tokenViolations: readonly Violation[]
}

export async function collectViolations(call: Call, tokenViolations: readonly Violation[]) {
  const { contract, request } = call
  const errors = validateAllParts(call)
  if (errors.size === 0 && isPlainRequest(contract, request)) return { ...NO_REQUEST_VIOLATIONS, tokenViolations }
  const found = await inspectFile(call, findViolations(contract, request, errors))
  return { ...found, tokenViolations }
}

/** Adds the violation for a file's content. A misnamed file is repairable only if the operation accepts the file. */
async function inspectFile(call: Call, found: RequestViolations): Promise<RequestViolations> {
  const file = fileParameterOf(call.contract)
  const form = { ...call.form, ...found.misnamedFiles }
  if (file === undefined || !isUpload(form[file.name])) return found
  // Without violations of the schema, the operation inspects the file.
  if (found.misnamedFiles === undefined && found.schemaViolations.length === 0) return found
  const inspection = await call.operation.inspect?.(form as HandlerCall['form'], declareReply)
  const mistake = inspection?.invalid && mistakeIn(inspection.invalid)
  if (mistake === undefined) return found
  const { schemaViolations, reportedViolations: reported, otherViolations: other } = found
  if (found.misnamedFiles !== undefined) {
    const unrepairable = (one: Violation) => ({ ...one, about: { ...one.about, isRepairable: false } })
    return { ...found, reportedViolations: reported.map(unrepairable), otherViolations: other.map(unrepairable) }
  }
  if ([...reported, ...other].some((one) => explainsMistake(one, mistake))) return found
  return { ...found, schemaViolations: [...schemaViolations, mistake], reportedViolations: [...reported, mistake] }
}

export function allViolations(collected: CollectedViolations): readonly Violation[] {
  return [...collected.tokenViolations, ...collected.reportedViolations, ...collected.otherViolations]
}

export function invalidRequestAnswer(call: Call, collected: CollectedViolations): ServiceAnswer | undefined {
  const { tokenViolations, schemaViolations, reportedViolations, otherViolations } = collected
  const { strict } = call.sandbox.settings
  const causes = strict ? allViolations(collected) : schemaViolations
  if (causes.length === 0) return undefined
  const status = statusFor(call.contract, collected.invalidNames)
  if (status === undefined) return undefined
  const why = causes.map(({ message }) => message).join(' ')
  const violations = strict
    ? markRefused(status, causes)
    : [...tokenViolations, ...markRefused(status, reportedViolations), ...otherViolations]
  return serviceAnswer(call, status, why, { step: 'validate', violations })
}

/** Fastify stops at the first invalid part: this runs its validators for all parts. */
function validateAllParts({ request, fastify }: Call): ReadonlyMap<RequestPart, readonly ErrorObject[]> {
  const errors = new Map<RequestPart, readonly ErrorObject[]>()
  if (fastify.request.validationError === undefined) return errors
  for (const [part, fastifyPart] of PARTS) {
    const validate = fastify.request.getValidationFunction(fastifyPart)
    const value = fastifyPart === 'querystring' ? fastify.request.query : fastify.request[fastifyPart]
    const isUnread = part === 'form' && request.unreadable !== null
    if (!isUnread && validate?.(value) === false) errors.set(part, (validate.errors ?? []) as ErrorObject[])
  }
  return errors
}

const PARTS = [
  ['path', 'params'],
  ['query', 'querystring'],
  ['form', 'body'],
] as const

function statusFor(contract: Contract, names: readonly string[]): number | undefined {
  const statuses = names.map((name) => invalidStatusOf(contract, name))
  return statuses.find((status) => status !== contract.invalidStatus) ?? contract.invalidStatus
}
