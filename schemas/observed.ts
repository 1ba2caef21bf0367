import type { TSchema } from '@sinclair/typebox'
import { allCitesOf } from './cites.js'
import { type Contract, isSuccess, type Response, statusesOf } from './contract.js'
import { type InterpretationId, interpretations, type SwitchName } from './interpretations.js'
import { errorsAreOpen, isObserved, type Readings } from './readings.js'

/** The interpretations that a provider settled for an operation. */
function settledFor({ id }: Pick<Contract, 'id'>, readings: Readings): ReadonlySet<InterpretationId> {
  const settled = interpretations.filter((one) => {
    const switches: readonly SwitchName[] = 'switches' in one ? one.switches : []
    return switches.some((name) => isObserved(readings, name, id))
  })
  return new Set(settled.map((one) => one.id))
}

/** A contract whose responses say what a provider showed; the same contract if it showed nothing. */
export function withObserved(contract: Contract, readings: Readings): Contract {
  if (readings.observed === undefined) return contract
  const settled = settledFor(contract, readings)
  const responses = statusesOf(contract).map((status) => {
    const response = contract.responses[status] as Response
    const cited = citedBy(contract, response).filter((id) => settled.has(id))
    if (cited.length === 0) return [status, response] as const
    const provenance = isSettled(contract, status, readings) ? ('observed' as const) : response.provenance
    return [status, { ...response, provenance, observed: cited }] as const
  })
  const cited = contractCites(contract).filter((id) => settled.has(id))
  return { ...contract, ...(cited.length > 0 && { observed: cited }), responses: Object.fromEntries(responses) }
}

/** The interpretations that an operation rests on, its requests and its answers, in order. */
function contractCites(contract: Contract): InterpretationId[] {
  const { query, params, responses } = contract
  const parts = [query, params, contract.form].flatMap((part) => (part === undefined ? [] : citesWithin(part)))
  const answers = Object.values(responses).flatMap((one) => citedBy(contract, one))
  const ids = [...parts, ...answers].filter((cite): cite is InterpretationId => cite.startsWith('I-'))
  return [...new Set(ids)].sort()
}

/** The interpretations that an answer rests on, each once. */
function citedBy(contract: Contract, response: Response): InterpretationId[] {
  const body = isSuccess(response) ? citesWithin(response.schema) : errorsAreOpen(contract) ? ['I-02'] : []
  return [...new Set([...response.cites, ...body])].filter((cite): cite is InterpretationId => cite.startsWith('I-'))
}

function citesWithin(schema: TSchema): string[] {
  const inner = [
    ...Object.values<TSchema>(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
  ]
  return [...allCitesOf(schema), ...inner.flatMap(citesWithin)]
}

/**
 * Whether a provider showed what the document does not: of an answer that it lists, the body; of one that it does not
 * name, that it is given.
 */
function isSettled(contract: Contract, status: number, readings: Readings): boolean {
  const { id, switched = {}, responses } = contract
  const response = responses[status] as Response
  if (response.provenance === 'bodyNotShown')
    return isObserved(readings, isSuccess(response) ? 'signingLinkBody' : 'errorBody', id)
  if (response.provenance !== 'assumed') return false
  const broughtIn = switched[status]?.when[0]
  if (broughtIn !== undefined) return isObserved(readings, broughtIn, id)
  return response.cites.includes('I-04') && isObserved(readings, 'missingUserType', id)
}
