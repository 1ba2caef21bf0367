import type { TObject, TSchema } from '@sinclair/typebox'
import { type Cites, citesOf, isStatement, joinedCites } from '../../../../schemas/cites.js'
import { type Contract, filesOf } from '../../../../schemas/contract.js'
import { type Request, withField, withoutField, withoutParameter } from '../../calls/call.js'
import type { Check } from '../check.js'
import { refusal } from './refusal.js'

/** Each required parameter left out, or with a value that is none of its own. */
export function missingParameterChecks(contract: Contract): Check[] {
  return (contract.query.required ?? []).flatMap((name): Check[] => {
    const schema = contract.query.properties[name] as TSchema
    const cites = refusalCites(contract, schema)
    const missing = refusal(
      contract,
      cites,
      `A call without '${name}'`,
      (request) => withoutParameter(request, name),
      name,
    )
    if (!isUserType(name, schema)) return [missing]
    const other = (request: Request) => ({ ...request, query: { ...request.query, [name]: 'COUNTERSIGN' } })
    return [missing, refusal(contract, cites, `A call with another '${name}'`, other, name)]
  })
}

const isUserType = (name: string, schema: TSchema) => name === 'user_type' && schema.enum !== undefined

/** What requires a part of a request, and what answers where it is missing. */
function refusalCites({ responses, invalid }: Contract, schema: TSchema, limit?: string): Cites {
  const own = (citesOf(schema, limit) ?? []).filter(isStatement)
  const answer = (responses[invalid]?.cites ?? []).filter(isStatement)
  return joinedCites(own, answer)
}

/** Each required field left out, and all fields of which one is due. */
export function missingFieldChecks(contract: Contract): Check[] {
  const { atLeastOneOf = [], form } = contract
  if (form === undefined) return []
  const each = (form.required ?? []).map((name) =>
    refusal(contract, refusalCites(contract, form.properties[name] as TSchema), `A call without '${name}'`, (request) =>
      withoutField(request, name),
    ),
  )
  const texts = [...filesOf(contract)]
    .filter((name) => form.required?.includes(name))
    .map((name) =>
      refusal(
        contract,
        refusalCites(contract, form.properties[name] as TSchema),
        `A call with text as '${name}'`,
        (request) => withField(request, name, 'countersign'),
      ),
    )
  if (atLeastOneOf.length === 0) return [...each, ...texts]
  const cites = refusalCites(contract, form.properties[atLeastOneOf[0] as string] as TSchema)
  const none = (request: Request) => atLeastOneOf.reduce(withoutField, request)
  return [...each, refusal(contract, cites, `A call with neither of ${atLeastOneOf.join(', ')}`, none)]
}

/** Limits that the document sets, with a value that is none of theirs. */
const WRONG: readonly { readonly limit: 'enum' | 'format'; readonly value: string }[] = [
  { limit: 'enum', value: 'Countersign' },
  { limit: 'format', value: 'countersign' },
]

/** Each field of the body and path variable whose values the document limits, with another value. */
export function invalidValueChecks(contract: Contract): Check[] {
  const limited = (part: TObject | undefined) =>
    Object.entries<TSchema>(part?.properties ?? {}).flatMap(([name, schema]) =>
      WRONG.filter(({ limit }) => (citesOf(schema, limit) ?? []).some(isStatement) && schema[limit] !== undefined).map(
        (wrong) => ({ name, ...wrong, cites: refusalCites(contract, schema, wrong.limit) }),
      ),
    )
  return [
    ...limited(contract.form).map(({ name, limit, value, cites }) =>
      refusal(
        contract,
        cites,
        `A call with '${value}' as '${name}'`,
        (request) => withField(request, name, value),
        '',
        {
          // What is no UUID may simply not be found.
          alike: limit === 'format',
        },
      ),
    ),
    ...limited(contract.params).map(({ name, value, cites }) =>
      refusal(contract, cites, `A call with '${value}' as '${name}'`, (request) => ({
        ...request,
        params: { ...request.params, [name]: value },
      })),
    ),
  ]
}
