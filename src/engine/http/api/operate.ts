import type { FastifyRequest } from 'fastify'
import { type Contract, successStatusOf } from '../../contract/contract.js'
import type { SwitchValues } from '../../contract/switches.js'
import { type Effects, NO_EFFECTS, type ServiceAnswer } from '../../journal/exchange.js'
import { markRefused, type Violation, violationOf } from '../../judge/violation.js'
import type { DeclaredReply, HandlerCall, Reply } from '../../operation.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { baseUrlOf } from '../base-url.js'
import type { Call } from './call.js'
import { declaredAnswer } from './declared-answer.js'

export async function operate(call: Call, user: object, noted: readonly Violation[]): Promise<ServiceAnswer> {
  const { sandbox, contract, request } = call
  const { declared, effects } = await handle(call, user)
  if (sandbox.state.hasUnsaved) await sandbox.state.save()
  // A switch may change the success status.
  const status = declared.status === 200 ? successStatusOf(contract) : declared.status
  return {
    kind: 'service',
    ...declaredAnswer(call, status, declared.body),
    step: 'operate',
    cause: 'natural',
    why: status >= 400 ? String(declared.body) : '',
    violations: withMistake(declared, noted, request.preferences?.expect),
    ...effects,
    playing: null,
  }
}

async function handle(
  call: Call,
  user: object,
): Promise<{ readonly declared: DeclaredReply; readonly effects: Effects }> {
  const { sandbox, operation } = call
  const own = new OperationCall(call, user)
  const inspected = await operation.inspect?.(own.form, declareReply)
  if (inspected?.invalid !== undefined) return { declared: inspected.invalid, effects: NO_EFFECTS }
  const { result, effects, mails } = sandbox.recordEffects(() => operation.handle(own, declareReply, inspected?.found))
  return { declared: result, effects: { effects, mails } }
}

/** Adds the mistake that `inspect` finds in a form that has passed its schema. */
export async function inspect(call: Call, noted: readonly Violation[]): Promise<readonly Violation[]> {
  const inspected = await call.operation.inspect?.(call.form as HandlerCall['form'], declareReply)
  return inspected?.invalid === undefined ? noted : withMistake(inspected.invalid, noted)
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
    this.form = form as Contract['form'] extends undefined ? never : HandlerCall['form']
    this.sandbox = sandbox
    this.switches = sandbox.settings.switches
    this.#request = fastify.request
  }

  get baseUrl(): string {
    return baseUrlOf(this.#request, this.sandbox)
  }
}

/** Adds the client's mistake behind a handler's error, unless a noted violation explains it. */
function withMistake(
  { status, body, mistake }: DeclaredReply,
  noted: readonly Violation[],
  expect?: number,
): readonly Violation[] {
  if (mistake === undefined) return noted
  // `form` stands for a field that is missing in it.
  const isExplained = (place: string) =>
    mistake.where === 'form' ? place.startsWith('form.') : place === mistake.where
  const explanation = noted.find(({ about }) => about.explains.some(isExplained))
  const own = violationOf({ ...mistake, message: String(body), isRepairable: false }, mistake.cites)
  const all = explanation === undefined ? [...noted, own] : noted
  return all.flatMap((one) =>
    one === explanation || one.where === mistake.where ? markRefused(status, [one], expect) : one,
  )
}
