import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { RecordOf, User } from '../api/records.js'
import type { Switches } from '../api/switches.js'
import type { Cites } from './contract/cites.js'
import type { Contract } from './contract/contract.js'
import type { Texts } from './judge/sample-call.js'
import type { Sandbox } from './sandbox/sandbox.js'

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

/** An operation on a valid call by a user who may make it. It takes no time in between, so that its effects are its own. */
export type Handler<C extends Contract, Found = undefined> = (
  call: HandlerCall<C>,
  reply: Reply<C>,
  found: Found,
) => DeclaredReply<C>

/** Looks at a valid form alone, whatever the state is; the handler gets what it finds. */
type Inspect<C extends Contract, Found = undefined> = (
  form: HandlerCall<C>['form'],
  reply: Reply<C>,
) => Promise<Inspected<C, Found>> | Inspected<C, Found>

type Inspected<C extends Contract, Found> =
  | { readonly invalid: DeclaredReply<C>; readonly found?: undefined }
  | { readonly invalid?: undefined; readonly found: Found }

/** What a file of an operation exports. */
export interface Handling<C extends Contract, Found = undefined> {
  readonly inspect?: Inspect<C, Found>
  readonly handle: Handler<C, Found>
  /** The parameters that name records, as the first user may use them; without records, fewer. */
  readonly examples?: (sandbox: Sandbox) => Readonly<Record<string, string | undefined>>
  /** Whether values of a corrected request name what the caller may use, where anything else is a client's mistake. */
  readonly isUsable?: (values: Texts, caller: Reach) => boolean
}

/** What decides which records a caller may use. */
type Reach = Pick<HandlerCall<Contract>, 'user' | 'switches' | 'sandbox'>

export interface Operation extends Handling<Contract, unknown> {
  readonly contract: Contract
}

export const declareReply: Reply<Contract> = (status, body, mistake) =>
  ({ status, body, mistake }) as unknown as DeclaredReply<Contract>

/** I-21; in a sandbox without users, any caller may access everything. */
export function canAccessOrganization({ user, switches, sandbox }: Reach, organizationId: number): boolean {
  return (
    switches.permissionReach === 'everywhere' ||
    user.organization_id === organizationId ||
    sandbox.firstUser === undefined
  )
}

/** The organization of the first user, or else the first one. */
export function firstOrganization({ state, firstUser }: Sandbox): RecordOf<'organizations'> | undefined {
  const organizations = state.collection('organizations').all()
  return organizations.find(({ id }) => id === firstUser?.organization_id) ?? organizations[0]
}
