import type { TObject, TSchema } from '@sinclair/typebox'
import { type Contract, fillPath, formatHeader } from '../contract/contract.js'
import { exampleOf, isFile } from '../contract/fields.js'
import { type CurlCall, type CurlValue, queryString, shellQuote } from './curl.js'

export type SampleFiles = Readonly<Record<string, string>>

export type Texts = Readonly<Record<string, string>>

export interface SampleCall {
  readonly params: Texts
  readonly query: Texts
  readonly form: Readonly<Record<string, CurlValue>> | null
}

/** `values` replace examples of the contract. */
export function sampleCall({ params, query, form }: Contract, files: SampleFiles, values: Texts = {}): SampleCall {
  const textsOf = ({ properties }: TObject, names: readonly string[]): Texts =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? exampleOf(properties[name])]))
  return {
    params: textsOf(params, Object.keys(params.properties)),
    query: textsOf(query, query.required ?? []),
    form: form === undefined ? null : sampleForm(form, files, values),
  }
}

export function pathAndQueryOf(contract: Contract, { params, query }: SampleCall): string {
  return `${fillPath(contract, (name) => params[name] as string)}${queryString(Object.entries(query))}`
}

export function curlCall(contract: Contract, call: SampleCall, base: string, token: string): CurlCall {
  const { method, tokenHeaders } = contract
  const [header] = tokenHeaders
  return {
    method,
    url: `${base}${pathAndQueryOf(contract, call)}`,
    token: header && shellQuote(formatHeader(header, token)),
    form: Object.entries(call.form ?? {}),
  }
}

function sampleForm({ properties, required = [] }: TObject, files: SampleFiles, texts: Texts) {
  const fields = Object.entries<TSchema>(properties)
  const needsFile = fields.some(([name, schema]) => required.includes(name) && isFile(schema))
  const sampleFields = fields.filter(([name, schema]) => required.includes(name) || !(needsFile || isFile(schema)))
  const values = sampleFields.map(([name, schema]): [string, CurlValue] => {
    const { contentMediaType: type } = schema
    return [name, isFile(schema) ? { path: files[type] ?? 'FILE', type } : (texts[name] ?? exampleOf(schema))]
  })
  return Object.fromEntries(values)
}
