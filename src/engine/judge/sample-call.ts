import type { TObject, TSchema } from '@sinclair/typebox'
import { type Contract, fillPath, writtenHeader } from '../contract/contract.js'
import { exampleOf, isFile } from '../contract/fields.js'
import { type CurlCall, type CurlValue, queryString, shellQuote } from './curl.js'

export type SampleFiles = Readonly<Record<string, string>>

export type Texts = Readonly<Record<string, string>>

export interface SampleCall {
  readonly params: Texts
  readonly query: Texts
  readonly form: Readonly<Record<string, CurlValue>> | null
}

export function sampleCall({ params, query, form }: Contract, files: SampleFiles, known: Texts = {}): SampleCall {
  const textsOf = ({ properties }: TObject, names: readonly string[]): Texts =>
    Object.fromEntries(names.map((name) => [name, known[name] ?? exampleOf(properties[name])]))
  return {
    params: textsOf(params, Object.keys(params.properties)),
    query: textsOf(query, query.required ?? []),
    form: form === undefined ? null : sampleForm(form, files, known),
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
    token: header && shellQuote(writtenHeader(header, token)),
    form: Object.entries(call.form ?? {}),
  }
}

function sampleForm({ properties, required = [] }: TObject, files: SampleFiles, known: Texts) {
  const fields = Object.entries<TSchema>(properties)
  const needsFile = fields.some(([name, schema]) => required.includes(name) && isFile(schema))
  const sent = fields.filter(([name, schema]) => required.includes(name) || !(needsFile || isFile(schema)))
  const values = sent.map(([name, schema]): [string, CurlValue] => {
    const { contentMediaType: type } = schema
    return [name, isFile(schema) ? { path: files[type] ?? 'FILE', type } : (known[name] ?? exampleOf(schema))]
  })
  return Object.fromEntries(values)
}
