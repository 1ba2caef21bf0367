import { fillPath, writtenHeader } from '../contract/contract.js'
import { exampleOf, type FileEntry } from '../contract/fields.js'
import { type CurlCall, type CurlValue, queryString } from '../judge/curl.js'
import { type Parameter, parametersOf, type RequestPart } from '../judge/parameters.js'
import { Reading } from '../judge/reading.js'
import type { Exchange } from './exchange.js'
import type { Redact, Viewer } from './redact.js'

/** The corrected request, to a server at `origin`; undefined if it cannot be known, or has no violation. */
export function correctionOf(
  { contract: called, request, answer: { violations } }: Exchange,
  viewer: Viewer,
  { origin, redact }: { readonly origin: string; readonly redact: Redact },
): CurlCall | undefined {
  const contract = called ?? request.likelyContract
  // The journal keeps no file contents, and only a part of a cut request: rely on the violations.
  const isUnknown = request.isCut || violations.some(({ about }) => !about.isRepairable)
  if (contract === undefined || violations.length === 0 || isUnknown) return undefined
  const values = correctValues(new Reading(contract, request))
  if (values === undefined) return undefined
  const known = Object.fromEntries([...values.query, ...values.form].map(([name, value]) => [name, String(value)]))
  if (!viewer.isUsable(contract, known, request.token ?? '')) return undefined
  const form = fieldsOf(values.form, redact)
  if (form === undefined) return undefined
  const texts = (part: RequestPart) => values[part].map(([name, value]) => [name, redact(String(value))] as const)
  const params = new Map(texts('path'))
  const path = fillPath(contract, (name) => params.get(name) as string)
  const [header] = contract.tokenHeaders
  return {
    method: contract.method,
    url: `${origin}${viewer.prefix}${path}${queryString(texts('query'))}`,
    // A shell fills in the token.
    token: header && `'${writtenHeader(header, '')}'"$TOKEN"`,
    form,
  }
}

type SentFields = [name: string, value: string | FileEntry][]

/** The client's own values under documented names; undefined if one would be lost or guessed. */
function correctValues(reading: Reading): Record<RequestPart, SentFields> | undefined {
  const { contract } = reading
  if (!reading.isRepairable) return undefined
  const values: Record<RequestPart, SentFields> = { path: [], query: [], form: [] }
  for (const parameter of parametersOf(contract).values()) {
    const { part, name, isRequired } = parameter
    if (!isRequired && !reading.isSent(parameter)) continue
    const [meant, ...others] = reading.intendedValuesOf(parameter)
    const value = meant ?? fixedValue(reading, parameter)
    if (value === undefined || others.length > 0) return undefined
    values[part].push([name, value])
  }
  const { atLeastOneField = [] } = contract
  if (contract.form !== undefined && values.form.length === 0) return undefined
  if (atLeastOneField.length > 0 && !values.form.some(([name]) => atLeastOneField.includes(name))) return undefined
  return values
}

/** What a correction can fill in: the only allowed value, or the sample of a missing page. */
function fixedValue(reading: Reading, parameter: Parameter): string | undefined {
  const { name, schema, isRequired } = parameter
  const { page, perPage } = reading.contract.paging ?? {}
  const isPaging = (name === page || name === perPage) && !reading.isSent(parameter)
  return isRequired && (schema.enum?.length === 1 || isPaging) ? exampleOf(schema) : undefined
}

function fieldsOf(form: SentFields, redact: Redact): CurlCall['form'] | undefined {
  const fields: (readonly [string, CurlValue])[] = []
  for (const [name, value] of form) {
    // No command line holds a NUL.
    if (typeof value === 'string' && !value.includes('\0')) fields.push([name, redact(value)])
    // Forms escape quotation marks in file names.
    else if (typeof value !== 'string' && PLAIN_NAME.test(value.filename))
      fields.push([name, { path: value.filename.replaceAll('%22', '"'), type: value.mimetype }])
    else return undefined
  }
  return fields
}

/** Shells and curl accept these in quotes. */
const PLAIN_NAME = /^[^\p{Cc}\u2028\u2029]{1,255}$/u
