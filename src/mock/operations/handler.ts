import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Cites } from '../../../schemas/cites.js'
import type { Contract } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import type { Switches } from '../../../schemas/switches.js'
import type { Sandbox } from '../sandbox/sandbox.js'

declare const declaredBy: unique symbol

/** Only `declareReply` makes one. */
export interface DeclaredReply<C extends Contract = Contract> {
  readonly [declaredBy]: C
  readonly status: number
  /** The body of a success, or the message of an error. */
  readonly body: unknown
  readonly mistake: ClientMistake | undefined
}

/** A client's mistake that no schema can describe. */
interface ClientMistake {
  readonly code: string
  readonly where: string
  readonly fix: string
  readonly cites: Cites
}

type BodyOf<R> = R extends { readonly schema: infer S extends TSchema } ? Static<S> : string

/** The answers that a contract declares, and those that a switch adds. */
type Answers<C extends Contract> = C['responses'] &
  (C extends { readonly switched: infer W extends NonNullable<Contract['switched']> } ? W : unknown)

/** An undeclared status or another body does not compile. A 200 gets the success status of the interpretations. */
export type Reply<C extends Contract> = <S extends keyof Answers<C> & number>(
  status: S,
  body: BodyOf<Answers<C>[S]>,
  mistake?: ClientMistake,
) => DeclaredReply<C>

/** A call by an authenticated user with the permission, whose request is valid. */
export interface HandlerCall<C extends Contract> {
  readonly params: Static<C['params']>
  readonly query: Static<C['query']>
  readonly form: C extends { readonly form: infer F extends TObject } ? Static<F> : Record<string, never>
  readonly user: User
  readonly sandbox: Sandbox
  readonly switches: Switches
  /** The URL at which the caller reached this sandbox. */
  readonly baseUrl: string
}

export type Handler<C extends Contract> = (
  call: HandlerCall<C>,
  reply: Reply<C>,
) => DeclaredReply<C> | Promise<DeclaredReply<C>>

/** Finds a form invalid by its content, independent of the state. */
export type ContentCheck<C extends Contract> = (
  form: HandlerCall<C>['form'],
  reply: Reply<C>,
) => Promise<DeclaredReply<C> | undefined> | DeclaredReply<C> | undefined

export interface Operation {
  readonly contract: Contract
  readonly handler: Handler<Contract>
}

/** A handler of another contract does not compile. */
export function defineOperation<C extends Contract>(contract: C, handler: Handler<C>): Operation {
  return { contract, handler: handler as unknown as Handler<Contract> }
}

export const declareReply: Reply<Contract> = (status, body, mistake) =>
  ({ status, body, mistake }) as unknown as DeclaredReply<Contract>

/** I-21; in a sandbox without users, any caller may access everything. */
export function canAccessOrganization(
  { user, switches, sandbox }: Pick<HandlerCall<Contract>, 'user' | 'switches' | 'sandbox'>,
  organizationId: number,
): boolean {
  return (
    switches.permissionReach === 'everywhere' ||
    user.organization_id === organizationId ||
    sandbox.firstUser === undefined
  )
}
