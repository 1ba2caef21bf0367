import { exampleOf } from '../contract/fields.js'
import { type Parameter, parametersOf, type RequestPart } from './parameters.js'
import type { Reading } from './reading.js'
import type { FileEntry } from './received-request.js'

export interface CorrectRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly form: readonly (readonly [name: string, value: string | FileEntry])[]
}

/**
 * The client's own values under documented names; adds only values that the document fixes. Undefined if a value would
 * be lost or guessed, or a violation would stay.
 */
export function correctRequest(reading: Reading): CorrectRequest | undefined {
  const { contract } = reading
  if (reading.isLost) return undefined
  const values = { path: [], query: [], form: [] } as Record<RequestPart, [name: string, value: string | FileEntry][]>
  for (const parameter of parametersOf(contract).values()) {
    const { part, name, isRequired } = parameter
    if (!isRequired && !reading.isSent(parameter)) continue
    const [meant, ...others] = reading.meaningsOf(parameter)
    const value = meant ?? fixedValue(reading, parameter)
    if (value === undefined || others.length > 0) return undefined
    values[part].push([name, value])
  }
  const { atLeastOneOf = [] } = contract
  if (contract.form !== undefined && values.form.length === 0) return undefined
  if (atLeastOneOf.length > 0 && !values.form.some(([name]) => atLeastOneOf.includes(name))) return undefined
  const texts = (part: RequestPart) => values[part] as [string, string][]
  return { params: Object.fromEntries(texts('path')), query: texts('query'), form: values.form }
}

/** The only value of a list, or the first page. */
function fixedValue(reading: Reading, parameter: Parameter): string | undefined {
  const { name, schema, isRequired } = parameter
  const { page, perPage } = reading.contract.paging ?? {}
  const isPaging = (name === page || name === perPage) && !reading.isSent(parameter)
  return isRequired && (schema.enum?.length === 1 || isPaging) ? exampleOf(schema) : undefined
}
