import type { Static, TObject, TSchema } from '@sinclair/typebox'

/**
 * Where a response comes from: `shown` is shown in full in the document, `bodyNotShown` has its status listed
 * while the body is "not shown", `assumed` is our own reading.
 */
export type Provenance = 'shown' | 'bodyNotShown' | 'assumed'

/** An answer with a body of its own (the 200s). */
export interface Success<S extends TSchema = TSchema> {
  readonly provenance: Provenance
  readonly description: string
  readonly schema: S
  readonly example: Static<S>
}

/** An answer in the error envelope; `message` is its sample. */
export interface Failure {
  readonly provenance: Provenance
  readonly description: string
  readonly message: string
}

export type Response = Success | Failure

export type TokenHeader = 'authorization' | 'user-token'

export const PERMISSIONS = ['manage_sub_organization_members'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** What the document says of one operation, as data. */
export interface Contract {
  readonly id: string
  /** The endpoint's number in the document. */
  readonly section: number
  readonly summary: string
  readonly description: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** As in the document, path variables written `{name}`. */
  readonly path: string
  /** The request headers that may carry the user token, the first one winning. */
  readonly tokenHeaders: readonly TokenHeader[]
  /** What the caller must be allowed to do; without it the answer is 403. */
  readonly permission?: Permission
  /** Whether it leaves everything as it was; by default, as its method says. */
  readonly readOnly?: boolean
  readonly params: TObject
  readonly query: TObject
  /** The multipart/form-data body; without it the operation has no request body. */
  readonly form?: TObject
  /** Where the answer is one page of a list: the names that say so, in query and body. */
  readonly paging?: { readonly page: string; readonly perPage: string; readonly total: string }
  /** The status that a missing or invalid parameter gets. */
  readonly invalid: 400 | 422
  readonly responses: { readonly 200: Success; readonly [status: number]: Response }
}

/** The answers that every operation gives besides its own: what the journey of a request may end with. */
type Inevitable<C extends Contract> = { readonly 401: Failure } & {
  readonly [S in C['invalid']]: Failure
} & (C extends { readonly permission: Permission } ? { readonly 403: Failure } : unknown)

/** Freezes a contract; one that does not declare its 401, its `invalid` status or its permission's 403 does not compile. */
export function defineContract<const C extends Contract>(
  contract: C & { readonly responses: Inevitable<NoInfer<C>> },
): C {
  return deepFreeze<C>(contract)
}

const success =
  (provenance: Provenance) =>
  <S extends TSchema>(description: string, schema: S, example: Static<S>): Success<S> => ({
    provenance,
    description,
    schema,
    example,
  })

const failure =
  (provenance: Provenance) =>
  (description: string, message: string): Failure => ({ provenance, description, message })

/** Answers that the document shows whole. */
export const shown = { answer: success('shown'), error: failure('shown') }
/** Answers whose status the document lists, and whose body is "not shown". */
export const bodyNotShown = { answer: success('bodyNotShown'), error: failure('bodyNotShown') }
/** Answers that are our own reading. */
export const assumed = { answer: success('assumed'), error: failure('assumed') }

export function isSuccess(response: Response): response is Success {
  return 'schema' in response
}

/** The statuses that a contract declares, ascending. */
export function statusesOf(contract: Contract): number[] {
  return Object.keys(contract.responses).map(Number)
}

const outcomeIds = new WeakMap<Contract, Map<number, string>>()

/** One outcome's name, as `addOrganizationMember:409`; made once, since every exchange has one. */
export function outcomeId(contract: Contract, status: number): string {
  let ids = outcomeIds.get(contract)
  if (ids === undefined) {
    ids = new Map()
    outcomeIds.set(contract, ids)
  }
  let id = ids.get(status)
  if (id === undefined) {
    id = `${contract.id}:${status}`
    ids.set(status, id)
  }
  return id
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) deepFreeze((value as Record<PropertyKey, unknown>)[key])
  }
  return value
}
