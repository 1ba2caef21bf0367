import { type Contract, successStatusOf } from '../../../../schemas/contract.js'
import type { User } from '../../../../schemas/fixtures.js'
import type { Mutant } from '../../../tools/mutate/mutant.js'
import { type DeclaredReply, declareReply, type HandlerCall } from '../../operations/handler.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { type Violation, violationOf } from '../../validation/violation.js'
import { baseUrlOf } from '../base-url.js'
import type { Answer, Call } from './call.js'
import { declaredAnswer } from './declared-answer.js'

/** Runs the operation; its changes are stored before the answer leaves. */
export async function operate(call: Call, user: User, judged: readonly Violation[], mutant?: Mutant): Promise<Answer> {
  const rehearsed = mutant?.effect === 'none' ? await rehearse(call, user, mutant) : undefined
  const declared = rehearsed ?? (await call.handler(handlerCall(call, user), declareReply))
  const violations = withMistake(declared, judged)
  const { state } = call.sandbox
  if (state.hasUnsaved) await state.save()
  return {
    step: 'operate',
    cause: 'natural',
    why: '',
    violations,
    reasons: violations.filter(({ where }) => where === declared.mistake?.where),
    ...declaredAnswer(call, statusOf(call, declared), declared.body),
  }
}

/** For a mutant that suppresses the effect: runs the operation in a copy of the sandbox. */
async function rehearse(call: Call, user: User, mutant: Mutant): Promise<DeclaredReply | undefined> {
  const query = mutant.query?.(call.query) ?? call.query
  const declared = await call.handler(handlerCall(call, user, call.sandbox.fork(), query), declareReply)
  return statusOf(call, declared) === mutant.status ? declared : undefined
}

function handlerCall(
  call: Call,
  user: User,
  sandbox: Sandbox = call.sandbox,
  query = call.query,
): HandlerCall<Contract> {
  const { params, form, request } = call
  return {
    params,
    query,
    // Typed by the contract in the handler.
    form: (form ?? {}) as never,
    user,
    sandbox,
    switches: sandbox.settings.switches,
    get baseUrl() {
      return baseUrlOf(request, call.sandbox)
    },
  }
}

export function withMistake({ body, mistake }: DeclaredReply, violations: readonly Violation[]): readonly Violation[] {
  if (mistake === undefined) return violations
  return [...violations, violationOf({ ...mistake, message: String(body) }, mistake.cites)]
}

/** I-01 may give the success another status. */
function statusOf({ contract }: Call, { status }: DeclaredReply): number {
  return status === 200 ? successStatusOf(contract) : status
}
