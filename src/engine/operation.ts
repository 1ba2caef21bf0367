import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Cites } from './contract/cites.js'
import type { Contract } from './contract/contract.js'
import type { SwitchValues } from './contract/switches.js'
import type { Texts } from './judge/sample-call.js'
import type { Sandbox, SandboxCaller } from './sandbox/sandbox.js'

declare const declaredBy: unique symbol

/** Only `declareReply` (http/operations/operate.ts) makes one. */
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
  (C extends { readonly switched: infer W extends NonNullable<Contract['switched']> } ? W : unknown)

/** An undeclared status or another body does not compile. A 200 gets the success status of the interpretations. */
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
  readonly baseUrl: string
}

type Inspection<C extends Contract, Found> =
  | { readonly invalid: DeclaredReply<C>; readonly found?: undefined }
  | { readonly invalid?: undefined; readonly found: Found }

export interface OperationHandler<
  C extends Contract = Contract,
  User = object,
  Values = SwitchValues,
  Found = unknown,
> {
  /** Judges a valid form without the state; `handle` gets the result. */
  inspect?(form: HandlerCall<C>['form'], reply: Reply<C>): Promise<Inspection<C, Found>> | Inspection<C, Found>
  /** Answers a valid call. It is synchronous, so that the recorded effects are its own. */
  handle(call: HandlerCall<C, User, Values>, reply: Reply<C>, found: Found): DeclaredReply<C>
  /** The parameters that name records, as the first user may use them; without records, fewer. */
  examples?(sandbox: Sandbox): Readonly<Record<string, string | undefined>>
  /** True if the caller may use these values of a corrected request. */
  isUsable?(values: Texts, caller: SandboxCaller<User, Values>): boolean
}

export interface Operation extends OperationHandler {
  readonly contract: Contract
}

export function examplesOf({ examples }: Operation, sandbox: Sandbox): Texts {
  const found = Object.entries(examples?.(sandbox) ?? {})
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== undefined))
}
