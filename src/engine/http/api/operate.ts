import type { FastifyRequest } from 'fastify'
import type { User } from '../../../api/records.js'
import type { Switches } from '../../../api/switches.js'
import { type Contract, successStatusOf } from '../../contract/contract.js'
import { type Answer, NEW_ANSWER } from '../../journal/exchange.js'
import { leadingTo, type Violation, violationOf } from '../../judge/violation.js'
import { type DeclaredReply, declareReply, type HandlerCall } from '../../operation.js'
import type { Brought, Sandbox } from '../../sandbox/sandbox.js'
import { baseUrlOf } from '../base-url.js'
import type { Call } from './call.js'
import { declaredAnswer } from './declared-answer.js'

/** Runs the operation; its changes are stored before the answer leaves. */
export async function operate(call: Call, user: User, noted: readonly Violation[]): Promise<Answer> {
  const { sandbox, contract, request, inspect, handle } = call
  const brought: Brought = { effects: [], mails: [] }
  const inspected = await inspect?.(call.form as never, declareReply)
  const declared =
    inspected?.invalid ??
    sandbox.note(brought, () => handle(new OperationCall(call, user), declareReply, inspected?.found))
  if (sandbox.state.hasUnsaved) await sandbox.state.save()
  // I-01 may give the success another status.
  const status = declared.status === 200 ? successStatusOf(contract) : declared.status
  const violations = withMistake(declared, noted, request.preferences?.expect)
  const { body } = declaredAnswer(call, status, declared.body)
  const { effects, mails } = brought
  return { ...NEW_ANSWER, status, body, step: 'operate', violations, effects, mails }
}

/** A class: to make an object with a getter takes V8 one or two microseconds. */
class OperationCall implements HandlerCall<Contract> {
  readonly params: HandlerCall<Contract>['params']
  readonly query: HandlerCall<Contract>['query']
  /** Typed by the contract in the handler. */
  readonly form: never
  readonly sandbox: Sandbox
  readonly switches: Switches
  readonly #request: FastifyRequest

  constructor(
    { sandbox, fastify, request, query, form }: Call,
    readonly user: User,
  ) {
    this.params = request.params
    this.query = query
    this.form = form as never
    this.sandbox = sandbox
    this.switches = sandbox.settings.switches
    this.#request = fastify.request
  }

  get baseUrl(): string {
    return baseUrlOf(this.#request, this.sandbox)
  }
}

/** Codes of suspicions that explain why a value cannot be taken, and why a field is missing. */
const EXPLAINS_VALUE = /^(?:file-as-text|path-as-file|file-decoded|placeholder-value)$/
const EXPLAINS_MISSING = /^(?:mis(?:named|placed)-|json-value$)/

/** Adds the client's mistake for which a handler itself gives an error, unless a suspicion says what happened. */
export function withMistake(
  { status, body, mistake }: DeclaredReply,
  noted: readonly Violation[],
  expect?: number,
): readonly Violation[] {
  if (mistake === undefined) return noted
  const explanation = noted.find(({ code, where }) =>
    mistake.code === 'missing-parameter'
      ? EXPLAINS_MISSING.test(code)
      : where === mistake.where && EXPLAINS_VALUE.test(code),
  )
  const own = violationOf({ ...mistake, message: String(body) }, mistake.cites)
  const all = explanation === undefined ? [...noted, own] : noted
  return all.flatMap((one) =>
    one === explanation || one.where === mistake.where ? leadingTo(status, [one], expect) : one,
  )
}
