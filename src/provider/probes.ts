import type { TObject, TSchema } from '@sinclair/typebox'
import { exampleOf, isFile } from '../../schemas/common.js'
import { type Contract, refusalStatusOf, successStatusOf, type TokenHeader } from '../../schemas/contract.js'
import { MISSING_USER_TYPE } from '../../schemas/readings.js'
import { sentFields } from '../docs/example-call.js'

/** A file that a form carries: one on disk or, without one, a sample of its media type. */
export interface FilePart {
  readonly file: string | undefined
  readonly mediaType: string
}

/** One request, and the outcome that the contract expects of it. */
export interface Probe {
  readonly contract: Contract
  /** Such as `401 without a token`; unique within the operation. */
  readonly name: string
  readonly status: number
  /** Which token is sent, and in which header. */
  readonly token: { readonly header: TokenHeader; readonly kind: 'user' | 'wrong' } | null
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Null where the operation has no form. */
  readonly form: Readonly<Record<string, string | FilePart>> | null
  /** The query parameter that is left out. */
  readonly missing?: string
  /** Other statuses that the document allows here, by the interpretation that decides against them. */
  readonly otherwise: Readonly<Record<number, string>>
}

type Values = Readonly<Record<string, string | number | boolean>>

/** Values that exist at the provider, in place of a contract's examples. */
export interface ProbeValues {
  readonly params?: Values
  readonly query?: Values
  /** A file field's value is a path. */
  readonly form?: Values
}

/** Whether an operation leaves everything as it was. */
export function isRead({ method, readOnly = method === 'GET' }: Contract): boolean {
  return readOnly
}

/**
 * The probes of an operation. Unless writes are allowed, a write is only called in ways that must be refused, without
 * its form and with the contract's examples: even a provider that refuses nothing then changes nothing of its user's.
 */
export function probesOf(contract: Contract, given: ProbeValues = {}, allowWrites = false): readonly Probe[] {
  const complete = allowWrites || isRead(contract)
  const request = requestOf(contract, complete ? given : {}, complete)
  return [
    ...withoutToken(contract, request, complete),
    ...withoutParameter(contract, request),
    ...(complete ? successes(contract, request) : []),
  ]
}

type Request = Pick<Probe, 'params' | 'query' | 'form'>

const USER = { header: 'authorization', kind: 'user' } as const

function withoutToken(contract: Contract, request: Request, complete: boolean): Probe[] {
  // A request with a second mistake may be refused for it: the order of the checks is not shown.
  const secondMistake = !complete && (contract.form?.required?.length ?? 0) > 0
  const otherwise: Probe['otherwise'] = secondMistake ? { [contract.invalid]: 'I-03' } : {}
  const probe = { contract, ...request, status: 401, otherwise }
  return [
    { ...probe, name: '401 without a token', token: null },
    { ...probe, name: '401 with a wrong token', token: { header: 'authorization', kind: 'wrong' } },
  ]
}

function withoutParameter(contract: Contract, request: Request): Probe[] {
  const { responses, params, query } = contract
  const named = Object.keys(params.properties).length > 0
  return (query.required ?? []).map((missing) => {
    const { [missing]: _, ...rest } = request.query
    const status = refusalStatusOf(contract, missing)
    const others = missing === 'user_type' ? MISSING_USER_TYPE.filter((one) => one !== status) : []
    const otherwise: Probe['otherwise'] = Object.fromEntries([
      // The examples may name nothing there, which may be looked at first.
      ...(named && 404 in responses ? [[404, 'I-03']] : []),
      // The document names no status for the user type.
      ...others.map((one) => [one, 'I-04']),
    ])
    return {
      contract,
      ...request,
      query: rest,
      status,
      name: `${status} without ${missing}`,
      token: USER,
      missing,
      otherwise,
    }
  })
}

function successes(contract: Contract, request: Request): Probe[] {
  const [, ...others] = contract.tokenHeaders
  // That a request without any field is answered with 200 is our reading.
  const empty = contract.form !== undefined && Object.keys(request.form ?? {}).length === 0
  const otherwise: Probe['otherwise'] = empty ? { [contract.invalid]: 'I-10' } : {}
  const status = successStatusOf(contract)
  const probe = { contract, ...request, status }
  return [
    { ...probe, name: `${status}`, token: USER, otherwise },
    ...others.map((header) => ({
      ...probe,
      name: `${status} with the token in ${header}`,
      token: { header, kind: 'user' } as const,
      otherwise: { ...otherwise, 401: 'I-15' },
    })),
  ]
}

function requestOf(contract: Contract, given: ProbeValues, complete: boolean): Request {
  const { params, query, form } = contract
  return {
    params: values(params, Object.keys(params.properties), given.params),
    query: values(query, query.required ?? [], given.query),
    form: form === undefined ? null : complete ? formOf(contract, form, given.form) : {},
  }
}

function values(schema: TObject, names: readonly string[], given: Values = {}): Record<string, string> {
  const examples = names.map((name) => [name, exampleOf(schema.properties[name])] as const)
  return { ...Object.fromEntries(examples), ...texts(given) }
}

function texts(given: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
}

/** A read sends what it is about; a write only what it must, so that an update changes nothing. */
function formOf(contract: Contract, form: TObject, given: Values | undefined): NonNullable<Request['form']> {
  const names = isRead(contract) && given === undefined ? sentFields(form) : (form.required ?? [])
  const own = texts(given ?? {})
  return Object.fromEntries(
    [...new Set([...names, ...Object.keys(own)])].map((name) => {
      const schema = form.properties[name] as TSchema
      const part = { file: own[name], mediaType: String(schema.contentMediaType) }
      return [name, isFile(schema) ? part : (own[name] ?? exampleOf(schema))]
    }),
  )
}
