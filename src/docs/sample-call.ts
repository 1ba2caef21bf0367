import { join } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import { exampleOf, isFile } from '../../schemas/common.js'
import { type Contract, fillPath } from '../../schemas/contract.js'
import { packageRoot } from '../package-root.js'
import { type CurlValue, curl, shellQuote } from '../text/curl.js'

/** The default fixtures's files that a sample call sends, by media type. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'image/png': join(packageRoot, 'fixtures/files/signature.png'),
  'application/pdf': join(packageRoot, 'fixtures/files/verified.pdf'),
}

type Texts = Readonly<Record<string, string>>

/** What a call of an operation sends. */
export interface SampleCall {
  readonly params: Texts
  /** The required parameters. */
  readonly query: Texts
  /** Null where the operation has no form. */
  readonly form: Readonly<Record<string, CurlValue>> | null
}

/** A valid call of an operation, with the examples of its contract where nothing better is known by a field's name. */
export function sampleCall({ params, query, form }: Contract, known: Texts = {}): SampleCall {
  const textsOf = ({ properties }: TObject, names: readonly string[]): Texts =>
    Object.fromEntries(names.map((name) => [name, known[name] ?? exampleOf(properties[name])]))
  return {
    params: textsOf(params, Object.keys(params.properties)),
    query: textsOf(query, query.required ?? []),
    form: form === undefined ? null : { ...textsOf(form, sentFields(form)), ...filesOf(form) },
  }
}

/** The path of a call, with its query. */
export function pathOf(contract: Contract, { params, query }: SampleCall): string {
  return `${fillPath(contract, (name) => params[name] as string)}${queryString(Object.entries(query))}`
}

/** A call to paste into a shell; its parts stand on lines of their own, or as `separator` says. */
export function curlLine(contract: Contract, base: string, token: string, separator?: string, known?: Texts): string {
  const call = sampleCall(contract, known)
  const { method } = contract
  const url = `${base}${pathOf(contract, call)}`
  const form = Object.entries(call.form ?? {})
  return curl({ method, url, token: shellQuote(`Authorization: Bearer ${token}`), form }, separator)
}

/** `?` and the parameters; nothing where there are none. */
export function queryString(given: readonly (readonly [name: string, value: string])[]): string {
  const pairs = given.map((pair) => pair.map(encodeURIComponent).join('='))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The required fields, and every text field where no file is required, since one of those is then what it is about. */
function sentFields({ properties, required = [] }: TObject): string[] {
  const fields = Object.entries(properties)
  const needsFile = fields.some(([name, schema]) => required.includes(name) && isFile(schema))
  return fields
    .filter(([name, schema]) => required.includes(name) || !(needsFile || isFile(schema)))
    .map(([name]) => name)
}

/** The required files of a form. */
function filesOf({ properties, required = [] }: TObject): Record<string, CurlValue> {
  const files = Object.entries<TSchema>(properties)
    .filter(([name, schema]) => required.includes(name) && isFile(schema))
    .map(([name, { contentMediaType: type }]) => [name, { path: sampleFiles[type] ?? 'FILE', type }])
  return Object.fromEntries(files)
}
