import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Cites } from './cites.js'
import type { Conventions, Envelope, TokenHeader } from './conventions.js'
import { isFile } from './fields.js'
import { deepFreeze } from './freeze.js'
import type { Template } from './template.js'

/** The document shows the body (`shown`), lists only the status (`bodyNotShown`), or is silent (`assumed`). */
export type Provenance = 'shown' | 'bodyNotShown' | 'assumed'

export interface Success<S extends TSchema = TSchema> {
  readonly provenance: Provenance
  readonly cites: Cites
  readonly description: string
  readonly schema: S
  readonly example: Static<S>
  /** Statements that require a link in the body. */
  readonly linkCites?: Cites
  /** The name of the switch that sets the body's template. */
  readonly bodySwitch?: string
  readonly template?: Template
}

export interface Failure {
  readonly provenance: Provenance
  readonly cites: Cites
  readonly description: string
  readonly message: string
  /** Statements that allow any error status, if the body is an object. */
  readonly anyStatusCites?: Cites
  /** Statements that require the parameter's name in the message. */
  readonly parameterNameCites?: Cites
  readonly envelope?: Envelope
}

export interface SwitchedFailure extends Failure {
  readonly enabledBy: readonly [name: string, value: string | number]
}

export type Response = Success | Failure

export interface StatusReason {
  readonly why: string
  readonly cites: Cites
}

export const reason = (why: string, ...cites: Cites): StatusReason => ({ why, cites })

export interface Contract {
  readonly conventions: Conventions
  readonly id: string
  readonly section: number
  readonly summary: string
  readonly description: string
  readonly cites: Cites
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** The headers that may carry the user token; the first one that is sent counts. */
  readonly tokenHeaders: readonly TokenHeader[]
  readonly permission?: string
  readonly readOnly?: boolean
  readonly params: TObject
  readonly query: TObject
  readonly form?: TObject
  readonly paging?: { readonly page: string; readonly perPage: string; readonly total: string }
  /** The status for a missing or invalid parameter; without it, the operation accepts invalid requests. */
  readonly invalidStatus?: 400 | 422
  /** Exceptions to `invalidStatus`, by query parameter. */
  readonly invalidStatusByParameter?: Readonly<Record<string, number>>
  /** Statements that require an effect, such as a mail. */
  readonly effectCites?: Cites
  readonly responses: { readonly [status: number]: Response }
  /** Responses that a switch (an interpretation with several values) adds. */
  readonly switchedResponses?: { readonly [status: number]: SwitchedFailure }
  /** Why each status is returned, for the README's table. */
  readonly reasons?: { readonly [status: number]: readonly StatusReason[] }
}

type ContractDefinition = Omit<Contract, 'conventions' | 'tokenHeaders'> & {
  readonly tokenHeaders: readonly string[]
  readonly responses: { readonly 200: Success; readonly [status: number]: Response }
}

type RequiredResponses<C extends ContractDefinition> = { readonly 401: Failure } & (C extends {
  readonly invalidStatus: infer S extends number
}
  ? { readonly [Status in S]: Failure }
  : unknown) &
  (C extends { readonly permission: string } ? { readonly 403: Failure } : unknown)

/** Requires `invalidStatus` with a form or a query: any parameter can be sent twice. */
type WithInvalidStatus<C extends ContractDefinition> = C extends { readonly form: TObject }
  ? Required<Pick<Contract, 'invalidStatus'>>
  : keyof C['query']['properties'] extends never
    ? unknown
    : Required<Pick<Contract, 'invalidStatus'>>

/** A contract without its 200, 401, invalid status or the 403 of its permission does not compile. */
export function contractDefiner(conventions: Conventions) {
  return <const C extends ContractDefinition>(
    contract: C & { readonly responses: RequiredResponses<NoInfer<C>> } & WithInvalidStatus<NoInfer<C>>,
  ): DefinedContract<C> => {
    const tokenHeaders = conventions.tokenHeaders.filter(({ name }) => contract.tokenHeaders.includes(name))
    return deepFreeze<DefinedContract<C>>({ ...contract, conventions, tokenHeaders })
  }
}

type DefinedContract<C> = Omit<C, 'tokenHeaders'> & Pick<Contract, 'conventions' | 'tokenHeaders'>

const responses = (provenance: Provenance) => ({
  answer: <S extends TSchema>(cites: Cites, description: string, schema: S, example: Static<S>): Success<S> => {
    return { provenance, cites, description, schema, example }
  },
  error: (cites: Cites, description: string, message: string): Failure => {
    return { provenance, cites, description, message }
  },
})

export const shown = responses('shown')
export const bodyNotShown = responses('bodyNotShown')
export const assumed = responses('assumed')

export function ifSwitch(name: string, value: string | number, answer: Failure): SwitchedFailure {
  return { ...answer, enabledBy: [name, value] }
}

export function isSuccess(response: Response | undefined): response is Success {
  return response !== undefined && 'schema' in response
}

export function isReadOnly({ method, readOnly = method === 'GET' }: Contract): boolean {
  return readOnly
}

/** At least one of these form fields must be sent. */
export function alternativeFieldsOf({ form }: Contract): readonly string[] {
  return ((form?.anyOf ?? []) as readonly TSchema[]).flatMap(({ required = [] }) => required)
}

export function changesRecord({ method }: Contract): boolean {
  return method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}

export function successStatusOf({ responses }: Contract): number {
  return Number(Object.keys(responses).find((status) => isSuccess(responses[Number(status)])))
}

export function invalidStatusOf(contract: Contract, parameter: string): number | undefined {
  return contract.invalidStatusByParameter?.[parameter] ?? contract.invalidStatus
}

export function isSuccessStatusAssumed(contract: Contract): boolean {
  const success = contract.responses[successStatusOf(contract)]
  return success?.cites.includes(contract.conventions.successStatus) === true
}

export function statusesOf(contract: Contract): number[] {
  return Object.keys(contract.responses).map(Number)
}

export function fileFieldsOf({ form }: Contract): ReadonlySet<string> {
  const properties = form?.properties ?? {}
  return new Set(Object.keys(properties).filter((name) => isFile(properties[name] as TSchema)))
}

export function fillPath({ path }: Contract, textOf: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(name)))
}

/** Variables of the template are written `{name}` or `:name`. */
export function matchesPath(template: string, path: string): boolean {
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}|:\w+/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}

export function outcomeIdsOf(contracts: readonly Contract[]): string[] {
  return contracts.flatMap((contract) => statusesOf(contract).map((status) => outcomeId(contract, status)))
}

export function outcomeId(contract: Contract, status: number): string {
  return isGatewayStatus(contract, status) ? gatewayId(status) : `${contract.id}:${status}`
}

export const GATEWAY_STATUSES = [429, 500, 502, 503, 504] as const

export const gatewayId = (status: number) => `gateway:${status}`

export const gatewayIds: readonly string[] = GATEWAY_STATUSES.map(gatewayId)

/** True for a gateway status that the operation does not declare. */
export function isGatewayStatus({ responses }: { readonly responses: object }, status: number): boolean {
  return !(status in responses) && (GATEWAY_STATUSES as readonly number[]).includes(status)
}

/** Query parameters with only one allowed value, as `name=value`. Nearly every call has them. */
export function constantPairs(contracts: readonly Contract[]): readonly string[] {
  const pairs = contracts.flatMap(({ query }) =>
    Object.entries(query.properties).flatMap(([name, { enum: values = [] }]) =>
      values.length === 1 ? [`${name}=${values[0]}`] : [],
    ),
  )
  return [...new Set(pairs)]
}

export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

/** Such as `Authorization: Bearer <USER_TOKEN>`. */
export function formatHeader(header: TokenHeader, token = '<USER_TOKEN>'): string {
  return `${header.displayName}: ${headerValue(header, token)}`
}

export function headerValue({ scheme }: TokenHeader, token: string): string {
  return scheme === undefined ? token : `${scheme} ${token}`
}
