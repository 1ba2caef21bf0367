import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Cites } from '../../schemas/cites.js'
import type { Contract } from '../../schemas/contract.js'
import type { User } from '../../schemas/fixtures.js'
import type { Switches } from '../../schemas/switches.js'
import type { World } from '../world/world.js'

declare const declaredBy: unique symbol

/** A declared answer of one contract; only `reply` makes one. */
export interface DeclaredReply<C extends Contract = Contract> {
  readonly [declaredBy]: C
  readonly status: number
  /** The body of a 200; the message of an error, which gets its envelope later. */
  readonly body: unknown
  /** Where an error is the client's mistake. */
  readonly mistake: Mistake | undefined
}

/** A client's mistake that no schema can describe; the error's message says what it is. */
interface Mistake {
  readonly code: string
  /** The place, such as `form.file`. */
  readonly where: string
  readonly fix: string
  readonly cites: Cites
}

/** What a status is answered with: the declared body, or the message of an error. */
type BodyOf<R> = R extends { readonly schema: infer S extends TSchema } ? Static<S> : string

/** What a contract may answer: what it declares, and what a switch brings in. */
type Answers<C extends Contract> = C['responses'] &
  (C extends { readonly switched: infer W extends NonNullable<Contract['switched']> } ? W : unknown)

/**
 * Answers with a declared status and its body; an undeclared status or another body does not compile. A 200 is a
 * success, with the status that the interpretations give it. Who answers with what a switch brings in has looked at the switch.
 */
export type Reply<C extends Contract> = <S extends keyof Answers<C> & number>(
  status: S,
  body: BodyOf<Answers<C>[S]>,
  mistake?: Mistake,
) => DeclaredReply<C>

/** One call of an operation: authenticated, permitted and valid. */
export interface Call<C extends Contract> {
  readonly params: Static<C['params']>
  readonly query: Static<C['query']>
  readonly form: C extends { readonly form: infer F extends TObject } ? Static<F> : Record<string, never>
  readonly user: User
  readonly world: World
  /** As they were when the request arrived. */
  readonly switches: Switches
  /** The base URL at which the caller reached this world. */
  readonly baseUrl: string
}

/** What an operation does; it knows no HTTP. */
export type Handler<C extends Contract> = (
  call: Call<C>,
  reply: Reply<C>,
) => DeclaredReply<C> | Promise<DeclaredReply<C>>

/** Refuses a valid call by its form alone, independent of the state: such a mistake is known anywhere. */
export type Refuse<C extends Contract> = (
  form: Call<C>['form'],
  reply: Reply<C>,
) => Promise<DeclaredReply<C> | undefined> | DeclaredReply<C> | undefined

/** A contract with its handler, ready to be routed. */
export interface Operation {
  readonly contract: Contract
  readonly handler: Handler<Contract>
}

/** Joins a contract and its handler; a handler of another contract does not compile. */
export function defineOperation<C extends Contract>(contract: C, handler: Handler<C>): Operation {
  // It is called with what its own contract allows alone.
  return { contract, handler: handler as unknown as Handler<Contract> }
}

/** The only way to make a reply; its type forbids to make one by hand. */
export const reply: Reply<Contract> = (status, body, mistake) =>
  ({ status, body, mistake }) as unknown as DeclaredReply<Contract>
