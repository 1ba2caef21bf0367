import { type Contract, isReadOnly, successStatusOf } from '../../contract/contract.js'
import { NO_EFFECTS, type ServiceAnswer } from '../../journal/exchange.js'
import { markRefused, type Violation, violationOf } from '../../judge/violation.js'
import type { DeclaredReply, HandlerCall, Reply } from '../../operation.js'
import { MOST_ADDED_CHARACTERS, NO_ROOM, StorageFailure } from '../../sandbox/state/state.js'
import { baseUrlOf } from '../base-url.js'
import type { Call } from './call.js'
import { serviceAnswer } from './declared-answer.js'

export async function operate(call: Call, user: object, violations: readonly Violation[]): Promise<ServiceAnswer> {
  const { sandbox, contract } = call
  const { result: reply, effects, mails } = await runHandler(call, user)
  if (sandbox.state.hasUnsaved) await sandbox.state.save()
  // A switch may change the success status.
  const status = reply.status === 200 ? successStatusOf(contract) : reply.status
  const step = 'operate'
  return serviceAnswer(call, status, reply.body, { step, violations: withMistake(reply, violations), effects, mails })
}

async function runHandler(call: Call, user: object) {
  const { sandbox, operation, request, query, fastify } = call
  const handlerCall: HandlerCall = {
    params: request.params,
    query,
    // The fields fit the contract's schema.
    form: call.form as HandlerCall['form'],
    user,
    sandbox,
    switches: sandbox.settings.switches,
    baseUrl: () => baseUrlOf(fastify.request, sandbox),
  }
  const inspection = await operation.inspect?.(handlerCall.form, declareReply)
  if (inspection?.invalid !== undefined) return { result: inspection.invalid, ...NO_EFFECTS }
  if (sandbox.state.total.added > MOST_ADDED_CHARACTERS && !isReadOnly(call.contract)) throw new StorageFailure(NO_ROOM)
  return sandbox.recordEffects(() => operation.handle(handlerCall, declareReply, inspection?.result))
}

/** Adds the mistake that `inspect` finds in a form that fits its schema. */
export async function withFormMistake(call: Call, violations: readonly Violation[]): Promise<readonly Violation[]> {
  const inspection = await call.operation.inspect?.(call.form as HandlerCall['form'], declareReply)
  return inspection?.invalid === undefined ? violations : withMistake(inspection.invalid, violations)
}

export const declareReply: Reply<Contract> = (status, body, mistake) =>
  // The property of the contract's type exists for the compiler alone.
  ({ status, body, mistake }) as unknown as DeclaredReply<Contract>

/** Adds the client's mistake that a handler reports, unless one of the violations explains it. */
function withMistake(reply: DeclaredReply, violations: readonly Violation[]): readonly Violation[] {
  const mistake = mistakeIn(reply)
  if (mistake === undefined) return violations
  const isCause = (violation: Violation) => explainsMistake(violation, mistake)
  if (violations.some(isCause))
    return violations.flatMap((one) => (isCause(one) ? markRefused(reply.status, [one]) : one))
  return [...violations, ...markRefused(reply.status, [mistake])]
}

export function mistakeIn({ body, mistake }: DeclaredReply): Violation | undefined {
  return mistake && violationOf({ ...mistake, message: String(body), isRepairable: false }, mistake.cites)
}

export function explainsMistake({ where, about }: Violation, mistake: Violation): boolean {
  return where === mistake.where || about.explainedFields.includes(mistake.where)
}
