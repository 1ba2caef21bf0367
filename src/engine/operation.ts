import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Cites } from './contract/cites.js'
import type { Contract } from './contract/contract.js'
import type { SwitchValues } from './contract/switches.js'
import type { Texts } from './judge/sample-call.js'
import type { Sandbox, SandboxCaller } from './sandbox/sandbox.js'

declare const declaredBy: unique symbol

/** Created only by `declareReply` (http/operations/operate.ts). */
export interface DeclaredReply<C = unknown> {
  readonly [declaredBy]: C
  readonly status: number
  /** The body of a success, or the message of an error. */
  readonly body: unknown
  readonly mistake: ClientMistake | undefined
}

interface ClientMistake {
  readonly code: string
  readonly where: string
  readonly fix: string
  readonly cites: Cites
}

type BodyOf<R> = R extends { readonly schema: infer S extends TSchema } ? Static<S> : string

type Answers<C extends Contract> = C['responses'] &
  (C extends { readonly switchedResponses: infer W extends NonNullable<Contract['switchedResponses']> } ? W : unknown)

/** An undeclared status, or another body, does not compile. A 200 is sent as the success status that a switch sets. */
export type Reply<C extends Contract> = <S extends keyof Answers<C> & number>(
  status: S,
  body: BodyOf<Answers<C>[S]>,
  mistake?: ClientMistake,
) => DeclaredReply<C>

export interface HandlerCall<C extends Contract = Contract, User = object, Values = SwitchValues>
  extends SandboxCaller<User, Values> {
  readonly params: Static<C['params']>
  readonly query: Static<C['query']>
  readonly form: C extends { readonly form: infer F extends TObject } ? Static<F> : Record<string, never>
  baseUrl(): string
}

type Inspection<C extends Contract, Result> =
  | { readonly invalid: DeclaredReply<C>; readonly result?: undefined }
  | { readonly invalid?: undefined; readonly result: Result }

export interface OperationHandler<
  C extends Contract = Contract,
  User = object,
  Values = SwitchValues,
  Result = unknown,
> {
  /** Checks the file of a form, whose other fields may be invalid; `handle` gets the result. */
  inspect?(form: HandlerCall<C>['form'], reply: Reply<C>): Promise<Inspection<C, Result>> | Inspection<C, Result>
  /** Answers a valid call. Synchronous, so that the effects of other calls are not recorded with it. */
  handle(call: HandlerCall<C, User, Values>, reply: Reply<C>, result: Result): DeclaredReply<C>
  /** Values that name existing records which the first user may access. */
  examples?(sandbox: Sandbox): Readonly<Record<string, string | undefined>>
  /** True if the caller may use the values of a corrected request. */
  canUseValues?(values: Texts, caller: SandboxCaller<User, Values>): boolean
}

export interface Operation extends OperationHandler {
  readonly contract: Contract
}

export function examplesOf({ examples }: Operation, sandbox: Sandbox): Texts {
  const entries = Object.entries(examples?.(sandbox) ?? {})
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
