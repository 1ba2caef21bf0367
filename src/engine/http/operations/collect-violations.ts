import type { ErrorObject } from 'ajv'
import { type Contract, invalidStatusOf } from '../../contract/contract.js'
import { NO_EFFECTS, type ServiceAnswer } from '../../journal/exchange.js'
import { type FoundViolations, findViolations, NOTHING_FOUND } from '../../judge/find-violations.js'
import type { RequestPart } from '../../judge/parameters.js'
import { isPlainRequest } from '../../judge/reading.js'
import { markRefused, type Violation } from '../../judge/violation.js'
import type { HandlerCall } from '../../operation.js'
import type { Call } from './call.js'
import { declaredAnswer } from './declared-answer.js'
import { declareReply } from './operate.js'

export interface CollectedViolations extends FoundViolations {
  readonly ofToken: readonly Violation[]
}

export async function collectViolations(call: Call, ofToken: readonly Violation[]): Promise<CollectedViolations> {
  const { contract, request } = call
  const errors = errorsOf(call)
  if (errors.size === 0 && isPlainRequest(contract, request)) return { ...NOTHING_FOUND, ofToken }
  const found = findViolations(contract, request, errors)
  return { ...(found.movedFiles === undefined ? found : await inspectMoved(call, found)), ofToken }
}

/** A file under a wrong name has a corrected request only if the operation takes it. */
async function inspectMoved(call: Call, found: FoundViolations): Promise<FoundViolations> {
  const form = { ...call.form, ...found.movedFiles } as HandlerCall['form']
  const inspected = await call.operation.inspect?.(form, declareReply)
  if (inspected?.invalid === undefined) return found
  const unrepairable = (one: Violation) => ({ ...one, about: { ...one.about, isRepairable: false } })
  return { ...found, forJournal: found.forJournal.map(unrepairable), unrelated: found.unrelated.map(unrepairable) }
}

export function allViolations({ ofToken, forJournal, unrelated }: CollectedViolations): readonly Violation[] {
  return forJournal.length + unrelated.length === 0 ? ofToken : [...ofToken, ...forJournal, ...unrelated]
}

export function invalidRequestAnswer(call: Call, found: CollectedViolations): ServiceAnswer | undefined {
  const { ofToken, forAnswer, forJournal, unrelated } = found
  const { strict } = call.sandbox.settings
  const toReport = strict ? allViolations(found) : forAnswer
  if (toReport.length === 0) return undefined
  const status = statusFor(call.contract, found.invalidNames)
  if (status === undefined) return undefined
  const why = toReport.map(({ message }) => message).join(' ')
  const refuse = (violations: readonly Violation[]) => markRefused(status, violations, call.request.preferences?.expect)
  const violations = strict ? refuse(toReport) : [...ofToken, ...refuse(forJournal), ...unrelated]
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

/** Fastify stops at the first invalid part: its own validators are asked for each. */
function errorsOf({ request, fastify, isValidated }: Call): ReadonlyMap<RequestPart, readonly ErrorObject[]> {
  const errors = new Map<RequestPart, readonly ErrorObject[]>()
  if (isValidated && fastify.request.validationError === undefined) return errors
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
