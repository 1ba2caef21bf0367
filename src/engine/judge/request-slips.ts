import { type Contract, changesRecord } from '../contract/contract.js'
import { methodOverride } from './method-override.js'
import { type Parameter, parametersOf } from './parameters.js'
import { misspelledPreferences, preferenceMeantBy } from './preference-names.js'
import { announcesBody, type KeptRequest } from './received-request.js'
import { type Kind, type Slip, slipOf } from './slip.js'

interface WholeRequest {
  readonly contract: Contract
  readonly request: KeptRequest
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly names: readonly Slip[]
}

export function slipsInWhole(
  { contract, request, query: read, body, names }: WholeRequest,
  sentInForm: readonly Parameter[],
): readonly Slip[] {
  const { headers, query, text, form } = request
  const found: Slip[] = []
  const add = (kind: Kind, where: string, more: Partial<Slip>, parameters: readonly Parameter[] = []) =>
    found.push(slipOf(kind, { contract, part: 'form', name: '', value: undefined }, parameters, { where, ...more }))
  const isEmpty = form !== null && Object.keys(form).length === 0
  const isElsewhere = names.some(({ parameters }) => parameters.some(({ part }) => part === 'form'))
  if (isEmpty && !isElsewhere && changesRecord(contract)) add('no-fields', 'body', {})
  // The text of a GET's body is never kept.
  if (contract.form === undefined && (text !== null || announcesBody(request)))
    add('unexpected-body', 'body', { cites: [contract.cites[0]] }, sentInForm)
  for (const [value, meant] of misspelledPreferences(headers.prefer))
    add('misspelled-preference', 'headers.prefer', { value, meant })
  for (const [name, value] of Object.entries(query)) {
    const meant = parametersOf(contract).has(`query.${name}`) ? undefined : preferenceMeantBy(name)
    const written = `?__${meant}=${encodeURIComponent(String(value))}`
    if (meant !== undefined) add('misspelled-preference', `query.${name}`, { value: name, meant: written })
  }
  const other = methodOverride({ headers, query: read, form: body })
  // A delete never becomes a write.
  const isRepairable = other?.method === contract.method
  if (other !== undefined) add('method-override', other.where, { name: other.name, value: other.method, isRepairable })
  return found
}
