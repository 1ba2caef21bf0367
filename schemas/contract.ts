import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Cites } from './cites.js'
import { isFile } from './common.js'
import { deepFreeze } from './freeze.js'
import type { SwitchName } from './interpretations.js'
import type { Template } from './template.js'

/**
 * Where a response comes from. `shown`: the document shows the keys and types of its body, but nothing more;
 * `bodyNotShown`: the document lists the status but does not show the body; `assumed`: the response is our own interpretation.
 */
export type Provenance = 'shown' | 'bodyNotShown' | 'assumed'

/** An answer with its own body (the 200s). */
export interface Success<S extends TSchema = TSchema> {
  readonly provenance: Provenance
  /** The basis of the status; the fields of the body have their own cites. */
  readonly cites: Cites
  readonly description: string
  readonly schema: S
  readonly example: Static<S>
  /** The switch with the body's template; the properties of `schema` are its placeholders. */
  readonly bodySwitch?: 'signingLinkBody'
  /** The template of the body; the fields of the handler's own body are filled in. */
  readonly template?: Template
  /** Values that replace the handler's own (I-22). */
  readonly words?: { readonly status?: string; readonly message?: string }
}

/** How the body of an error holds its message. */
export interface Envelope {
  readonly schema: TSchema
  readonly body: (status: number, message: string) => unknown
}

/** An answer in the error envelope; `message` is its sample. */
export interface Failure {
  readonly provenance: Provenance
  /** The basis of the status. */
  readonly cites: Cites
  readonly description: string
  readonly message: string
  /** The error envelope, if it is not the one that the document shows (I-02). */
  readonly envelope?: Envelope
}

/** An answer that a value of a switch adds, or adds causes to. */
export interface Switched extends Failure {
  readonly when: readonly [SwitchName, string | number]
}

export type Response = Success | Failure

export type TokenHeader = 'authorization' | 'user-token'

/** The basis for sending the token in each header. */
export const tokenHeaderCites: { readonly [H in TokenHeader]: Cites } = {
  authorization: ['SA.2', 'SA.1'],
  'user-token': ['SA.3', 'I-15'],
}

export const PERMISSIONS = ['manage_sub_organization_members'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** One operation as the document describes it. */
export interface Contract {
  readonly id: string
  /** The endpoint's number in the document. */
  readonly section: number
  readonly summary: string
  readonly description: string
  /** The basis of the description, the method and the path. */
  readonly cites: Cites
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path as in the document, with path variables written `{name}`. */
  readonly path: string
  /** The request headers that may carry the user token; the first one wins. */
  readonly tokenHeaders: readonly TokenHeader[]
  /** Without it, the answer is 403. */
  readonly permission?: Permission
  /** By default, this depends on the method. */
  readonly readOnly?: boolean
  readonly params: TObject
  readonly query: TObject
  /** Fields of the body of which at least one must be sent. */
  readonly atLeastOneOf?: readonly string[]
  /** The multipart/form-data body; without it the operation has no request body. */
  readonly form?: TObject
  /** The names used for paging, in query and body. */
  readonly paging?: { readonly page: string; readonly perPage: string; readonly total: string }
  /** The status that a missing or invalid parameter gets. */
  readonly invalid: 400 | 422
  /** The statuses of query parameters that get another one. */
  readonly refusals?: Readonly<Record<string, number>>
  readonly responses: { readonly [status: number]: Response }
  /** Additional answers that apply only with other interpretations than the default ones. */
  readonly switched?: { readonly [status: number]: Switched }
}

/** As written in its file; switches may change the status of its success. */
type WrittenContract = Contract & {
  readonly responses: { readonly 200: Success; readonly [status: number]: Response }
}

type Inevitable<C extends Contract> = { readonly 401: Failure } & {
  readonly [S in C['invalid']]: Failure
} & (C extends { readonly permission: Permission } ? { readonly 403: Failure } : unknown)

/** Freezes a contract. It does not compile without its 200, its 401, its `invalid` status and its permission's 403. */
export function defineContract<const C extends WrittenContract>(
  contract: C & { readonly responses: Inevitable<NoInfer<C>> },
): C {
  return deepFreeze<C>(contract)
}

const success =
  (provenance: Provenance) =>
  <S extends TSchema>(cites: Cites, description: string, schema: S, example: Static<S>): Success<S> => ({
    provenance,
    cites,
    description,
    schema,
    example,
  })

const failure =
  (provenance: Provenance) =>
  (cites: Cites, description: string, message: string): Failure => ({ provenance, cites, description, message })

/** The document shows keys and types. */
export const shown = { answer: success('shown'), error: failure('shown') }
/** The document lists the status; the body is "not shown". */
export const bodyNotShown = { answer: success('bodyNotShown'), error: failure('bodyNotShown') }
/** The document is silent. */
export const assumed = { answer: success('assumed'), error: failure('assumed') }

/** Only if a switch has this value. */
export function when(name: SwitchName, value: string | number, answer: Failure): Switched {
  return { ...answer, when: [name, value] }
}

export function isSuccess(response: Response | undefined): response is Success {
  return response !== undefined && 'schema' in response
}

export function isRead({ method, readOnly = method === 'GET' }: Contract): boolean {
  return readOnly
}

export function needsUserType({ query }: Contract): boolean {
  return query.required?.includes('user_type') === true
}

export function changesRecord({ method }: Contract): boolean {
  return method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}

export function successStatusOf({ responses }: Contract): number {
  if (responses[200] !== undefined) return 200
  return Number(Object.keys(responses).find((status) => isSuccess(responses[Number(status)])))
}

/** For a missing or invalid query parameter (I-04). */
export function refusalStatusOf({ refusals, invalid }: Contract, parameter: string): number {
  return refusals?.[parameter] ?? invalid
}

/** Ascending. */
export function statusesOf(contract: Contract): number[] {
  return Object.keys(contract.responses).map(Number)
}

export function filesOf({ form }: Contract): ReadonlySet<string> {
  const properties = form?.properties ?? {}
  return new Set(Object.keys(properties).filter((name) => isFile(properties[name] as TSchema)))
}

export function fillPath({ path }: Contract, textOf: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(name)))
}

export function outcomeIdsOf(contracts: readonly Contract[]): string[] {
  return contracts.flatMap((contract) => statusesOf(contract).map((status) => outcomeId(contract, status)))
}

/** Such as `addOrganizationMember:409` or `gateway:503`. */
export function outcomeId(contract: Contract, status: number): string {
  return isGatewayStatus(contract, status) ? gatewayId(status) : `${contract.id}:${status}`
}

/** Statuses that a gateway may return. */
export const GATEWAY_STATUSES = [429, 500, 502, 503, 504] as const

export const gatewayId = (status: number) => `gateway:${status}`

export const gatewayIds: readonly string[] = GATEWAY_STATUSES.map(gatewayId)

/** Whether a gateway answers with the status, because the operation does not declare it. */
export function isGatewayStatus({ responses }: { readonly responses: object }, status: number): boolean {
  return !(status in responses) && (GATEWAY_STATUSES as readonly number[]).includes(status)
}
