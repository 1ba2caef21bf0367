import { alternativeFieldsOf, fillPath, formatHeader } from '../contract/contract.js'
import { exampleOf, type FileEntry } from '../contract/fields.js'
import { type CurlCall, type CurlValue, nameOnDisk, queryString } from '../judge/curl.js'
import { type Parameter, parametersOf, type RequestPart } from '../judge/parameters.js'
import { Reading } from '../judge/reading.js'
import type { Exchange } from './exchange.js'
import type { Redact, Viewer } from './redact.js'

/** The corrected request, to a server at `origin`; undefined without violations, or if a value cannot be inferred. */
export function correctionOf(
  { contract: matchedContract, request, answer: { violations } }: Exchange,
  viewer: Viewer,
  { origin, redact }: { readonly origin: string; readonly redact: Redact },
): CurlCall | undefined {
  const contract = matchedContract ?? request.likelyContract
  // `Reading` finds no slips in files, whose contents the journal does not keep; violations include them.
  const isUnrepairable = request.isCut || violations.some(({ about }) => !about.isRepairable)
  if (contract === undefined || violations.length === 0 || isUnrepairable) return undefined
  const values = correctValues(new Reading(contract, request))
  if (values === undefined) return undefined
  const texts = Object.fromEntries([...values.query, ...values.form].map(([name, value]) => [name, String(value)]))
  if (!viewer.canUseValues(contract, texts, request.token ?? '')) return undefined
  const form = fieldsOf(values.form, redact)
  if (form === undefined) return undefined
  const redacted = (part: RequestPart) => values[part].map(([name, value]) => [name, redact(String(value))] as const)
  const params = new Map(redacted('path'))
  const path = fillPath(contract, (name) => params.get(name) as string)
  const [header] = contract.tokenHeaders
  return {
    method: contract.method,
    url: `${origin}${viewer.prefix}${path}${queryString(redacted('query'))}`,
    // The shell inserts the token.
    token: header && `'${formatHeader(header, '')}'"$TOKEN"`,
    form,
  }
}

type CorrectFields = [name: string, value: string | FileEntry][]

/** The values of the client under documented names; undefined if one of them would be lost or guessed. */
function correctValues(reading: Reading): Record<RequestPart, CorrectFields> | undefined {
  const { contract } = reading
  if (!reading.isRepairable) return undefined
  const values: Record<RequestPart, CorrectFields> = { path: [], query: [], form: [] }
  for (const parameter of parametersOf(contract).values()) {
    const { part, name, isRequired } = parameter
    if (!isRequired && !reading.isSent(parameter)) continue
    const [intendedValue, ...others] = reading.intendedValuesOf(parameter)
    const value = intendedValue ?? fixedValue(reading, parameter)
    if (value === undefined || others.length > 0) return undefined
    values[part].push([name, value])
  }
  const alternatives = alternativeFieldsOf(contract)
  if (contract.form !== undefined && values.form.length === 0) return undefined
  if (alternatives.length > 0 && !values.form.some(([name]) => alternatives.includes(name))) return undefined
  return values
}

/** The only allowed value, or the example of a missing page number or size. */
function fixedValue(reading: Reading, parameter: Parameter): string | undefined {
  const { name, schema, isRequired } = parameter
  const { page, perPage } = reading.contract.paging ?? {}
  const isPaging = (name === page || name === perPage) && !reading.isSent(parameter)
  return isRequired && (schema.enum?.length === 1 || isPaging) ? exampleOf(schema) : undefined
}

function fieldsOf(form: CorrectFields, redact: Redact): CurlCall['form'] | undefined {
  const fields: (readonly [string, CurlValue])[] = []
  for (const [name, value] of form) {
    // No command line can contain a NUL.
    if (typeof value === 'string' && !value.includes('\0')) fields.push([name, redact(value)])
    else if (typeof value !== 'string' && PLAIN_NAME.test(value.filename))
      fields.push([name, { path: nameOnDisk(value.filename), type: value.mimetype }])
    else return undefined
  }
  return fields
}

/** Names that shells and curl accept in quotes. */
const PLAIN_NAME = /^[^\p{Cc}\u2028\u2029]{1,255}$/u
