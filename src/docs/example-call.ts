import type { TObject, TSchema } from '@sinclair/typebox'
import { exampleOf, isFile } from '../../schemas/common.js'
import { type Contract, fillPath } from '../../schemas/contract.js'
import { type CurlCall, type CurlValue, curl } from '../text/curl.js'
import { shellQuote } from '../text/shell.js'
import { sampleFiles } from './sample-files.js'

/** Values of parameters, by their names in the contracts. */
export type ExampleValues = Readonly<Record<string, string>>

/** A call of an operation, of which the base URL and the token are not part. */
export interface ExampleCall extends Pick<CurlCall, 'method' | 'form'> {
  /** With its query. */
  readonly path: string
}

/** A call of an operation, with the examples of its contract where `values` has no better ones. */
export function exampleCall(contract: Contract, values: ExampleValues = {}): ExampleCall {
  const textOf = (name: string, schema: TSchema | undefined) => values[name] ?? exampleOf(schema)
  const { method, form, query } = contract
  const path = fillPath(contract, (name) => textOf(name, contract.params.properties[name]))
  const given = (query.required ?? []).map((name) => [name, textOf(name, query.properties[name])] as const)
  return {
    method,
    path: `${path}${queryString(given)}`,
    form: form === undefined ? [] : sentFields(form).map((name) => [name, value(name, form.properties[name], textOf)]),
  }
}

/** The same to paste into a shell; its parts stand on lines of their own, or as `separator` says. */
export function curlLine(
  contract: Contract,
  base: string,
  token: string,
  separator?: string,
  values: ExampleValues = {},
): string {
  const { path, ...call } = exampleCall(contract, values)
  return curl({ ...call, url: `${base}${path}`, token: shellQuote(`Authorization: Bearer ${token}`) }, separator)
}

/** `?` and the parameters; nothing where there are none. */
export function queryString(given: readonly (readonly [name: string, value: string])[]): string {
  const pairs = given.map((pair) => pair.map(encodeURIComponent).join('='))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/**
 * The form fields that a first call sends: the required ones, and every text field where no file is required, since
 * one of those is then what the call is about.
 */
export function sentFields({ properties, required = [] }: TObject): string[] {
  const fields = Object.entries(properties)
  const needsFile = fields.some(([name, schema]) => required.includes(name) && isFile(schema))
  return fields
    .filter(([name, schema]) => required.includes(name) || !(needsFile || isFile(schema)))
    .map(([name]) => name)
}

function value(
  name: string,
  schema: TSchema | undefined,
  textOf: (name: string, schema: TSchema | undefined) => string,
): CurlValue {
  if (schema === undefined || !isFile(schema)) return textOf(name, schema)
  const type: string = schema.contentMediaType
  return { path: sampleFiles[type] ?? 'FILE', type }
}
