import { join } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import { packageRoot } from '../../package-root.js'
import { type Contract, fillPath } from '../contract/contract.js'
import { exampleOf, isFile } from '../contract/fields.js'
import { type CurlValue, curl, queryString, shellQuote } from './curl.js'

/** The files that a sample call sends, by media type. */
const sampleFiles: Readonly<Record<string, string>> = {
  'image/png': join(packageRoot, 'fixtures/files/signature.png'),
  'application/pdf': join(packageRoot, 'fixtures/files/verified.pdf'),
}

export type Texts = Readonly<Record<string, string>>

export interface SampleCall {
  readonly params: Texts
  readonly query: Texts
  readonly form: Readonly<Record<string, CurlValue>> | null
}

/** A valid call, with the examples of the contract for values that are not `known` by their names. */
export function sampleCall({ params, query, form }: Contract, known: Texts = {}): SampleCall {
  const textsOf = ({ properties }: TObject, names: readonly string[]): Texts =>
    Object.fromEntries(names.map((name) => [name, known[name] ?? exampleOf(properties[name])]))
  return {
    params: textsOf(params, Object.keys(params.properties)),
    query: textsOf(query, query.required ?? []),
    form: form === undefined ? null : { ...textsOf(form, sentFields(form)), ...filesOf(form) },
  }
}

export function pathOf(contract: Contract, { params, query }: SampleCall): string {
  return `${fillPath(contract, (name) => params[name] as string)}${queryString(Object.entries(query))}`
}

/** A call to paste into a shell; `separator` is between its parts. */
export function curlLine(contract: Contract, base: string, token: string, separator?: string, known?: Texts): string {
  const call = sampleCall(contract, known)
  const { method } = contract
  const url = `${base}${pathOf(contract, call)}`
  const form = Object.entries(call.form ?? {})
  return curl({ method, url, token: shellQuote(`Authorization: Bearer ${token}`), form }, separator)
}

/** The required fields; if no file is required, every text field. */
function sentFields({ properties, required = [] }: TObject): string[] {
  const fields = Object.entries(properties)
  const needsFile = fields.some(([name, schema]) => required.includes(name) && isFile(schema))
  return fields
    .filter(([name, schema]) => required.includes(name) || !(needsFile || isFile(schema)))
    .map(([name]) => name)
}

function filesOf({ properties, required = [] }: TObject): Record<string, CurlValue> {
  const files = Object.entries<TSchema>(properties)
    .filter(([name, schema]) => required.includes(name) && isFile(schema))
    .map(([name, { contentMediaType: type }]) => [name, { path: sampleFiles[type] ?? 'FILE', type }])
  return Object.fromEntries(files)
}
