import type { FastifyRequest } from 'fastify'
import { type Contract, successStatusOf } from '../../contract/contract.js'
import type { SwitchValues } from '../../contract/switches.js'
import { NO_EFFECTS, type ServiceAnswer } from '../../journal/exchange.js'
import { markRefused, type Violation, violationOf } from '../../judge/violation.js'
import type { DeclaredReply, HandlerCall, Reply } from '../../operation.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { baseUrlOf } from '../base-url.js'
import type { Call } from './call.js'
import { serviceAnswer } from './declared-answer.js'

export async function operate(call: Call, user: object, violations: readonly Violation[]): Promise<ServiceAnswer> {
  const { sandbox, contract } = call
  const { declared, effects } = await runHandler(call, user)
  if (sandbox.state.hasUnsaved) await sandbox.state.save()
  // A switch may change the success status.
  const status = declared.status === 200 ? successStatusOf(contract) : declared.status
  const judged = withMistake(declared, violations)
  return serviceAnswer(call, status, declared.body, { step: 'operate', violations: judged, ...effects })
}

async function runHandler(call: Call, user: object) {
  const { sandbox, operation } = call
  const handlerCall = new OperationCall(call, user)
  const inspected = await operation.inspect?.(handlerCall.form, declareReply)
  if (inspected?.invalid !== undefined) return { declared: inspected.invalid, effects: NO_EFFECTS }
  const { result, effects, mails } = sandbox.recordEffects(() =>
    operation.handle(handlerCall, declareReply, inspected?.found),
  )
  return { declared: result, effects: { effects, mails } }
}

/** Adds the mistake that `inspect` finds in a form that has passed its schema. */
export async function withFormMistake(call: Call, violations: readonly Violation[]): Promise<readonly Violation[]> {
  const inspected = await call.operation.inspect?.(call.form as HandlerCall['form'], declareReply)
  return inspected?.invalid === undefined ? violations : withMistake(inspected.invalid, violations)
}

export const declareReply: Reply<Contract> = (status, body, mistake) =>
  // The type of the contract exists for the compiler alone.
  ({ status, body, mistake }) as unknown as DeclaredReply<Contract>

class OperationCall implements HandlerCall {
  readonly params: HandlerCall['params']
  readonly query: HandlerCall['query']
  readonly form: HandlerCall['form']
  readonly sandbox: Sandbox
  readonly switches: SwitchValues
  readonly #request: FastifyRequest

  constructor(
    { sandbox, fastify, request, query, form }: Call,
    readonly user: object,
  ) {
    this.params = request.params
    this.query = query
    // The contract of the handler types its fields.
    this.form = form as HandlerCall['form']
    this.sandbox = sandbox
    this.switches = sandbox.settings.switches
    this.#request = fastify.request
  }

  get baseUrl(): string {
    return baseUrlOf(this.#request, this.sandbox)
  }
}

/** Adds the client's mistake behind a handler's error, unless one of the violations explains it. */
function withMistake({ status, body, mistake }: DeclaredReply, violations: readonly Violation[]): readonly Violation[] {
  if (mistake === undefined) return violations
  // `form` stands for a field that is missing in it.
  const isExplained = (field: string) =>
    mistake.where === 'form' ? field.startsWith('form.') : field === mistake.where
  const explanation = violations.find(({ about }) => about.explainedFields.some(isExplained))
  const isCause = (one: Violation) => one === explanation || one.where === mistake.where
  if (violations.some(isCause)) return violations.flatMap((one) => (isCause(one) ? markRefused(status, [one]) : one))
  const mistakeViolation = violationOf({ ...mistake, message: String(body), isRepairable: false }, mistake.cites)
  return [...violations, ...markRefused(status, [mistakeViolation])]
}
