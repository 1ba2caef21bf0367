import { type Contract, changesRecord } from '../contract/contract.js'
import { findMethodOverride } from './method-override.js'
import { type Parameter, parametersOf } from './parameters.js'
import { findIntendedPreference, misspelledPreferences } from './preference-names.js'
import { announcesBody, type KeptRequest } from './received-request.js'
import { type Kind, type Slip, slipOf } from './slip.js'

interface RequestReading {
  readonly contract: Contract
  readonly request: KeptRequest
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly fieldSlips: readonly Slip[]
}

/** Finds the slips that are not about a single value. */
export function findRequestSlips(reading: RequestReading, formParameters: readonly Parameter[]): readonly Slip[] {
  const { contract, request, fieldSlips } = reading
  const { headers, query, text, form } = request
  const slips: Slip[] = []
  const add = (kind: Kind, where: string, more: Partial<Slip>, parameters: readonly Parameter[] = []) =>
    slips.push(slipOf(kind, { contract, part: 'form', name: '', value: undefined }, parameters, { where, ...more }))
  const hasField = Object.keys(form ?? {}).some((name) => parametersOf(contract).has(`form.${name}`))
  const hasMisplacedField = fieldSlips.some(({ parameters }) => parameters.some(({ part }) => part === 'form'))
  const [value] = Object.keys(form ?? {})
  if (form !== null && !hasField && !hasMisplacedField && changesRecord(contract)) add('no-fields', 'body', { value })
  // The text of a GET's body is never kept.
  if (contract.form === undefined && (text !== null || (announcesBody(request) && request.bytes?.length !== 0)))
    add('unexpected-body', 'body', { cites: [contract.cites[0]] }, formParameters)
  for (const [value, intendedValue] of misspelledPreferences(headers.prefer))
    add('misspelled-preference', 'headers.prefer', { value, intendedValue })
  for (const [name, value] of Object.entries(query)) {
    const preference = parametersOf(contract).has(`query.${name}`) ? undefined : findIntendedPreference(name)
    const intendedValue = `?__${preference}=${encodeURIComponent(String(value))}`
    if (preference !== undefined) add('misspelled-preference', `query.${name}`, { value: name, intendedValue })
  }
  const override = findMethodOverride({ headers, query: reading.query, form: reading.body })
  if (override === undefined || override.method === request.method) return slips
  // A correction must not turn a deletion into another change.
  const isRepairable = override.method === contract.method
  add('method-override', override.where, { name: override.name, value: override.method, isRepairable })
  return slips
}
