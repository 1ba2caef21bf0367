import type { TSchema } from '@sinclair/typebox'
import { allCitesOf, type Cite } from './cites.js'
import { type Contract, isSuccess } from './contract.js'
import { isFile } from './fields.js'

export interface Citation {
  /** Such as `form items[0][name]`, `200 items.name` or `422`. */
  readonly place: string
  readonly cites: readonly Cite[]
}

export function citationsIn(contract: Contract): readonly Citation[] {
  const { params, query, form } = contract
  return [
    { place: 'operation', cites: contract.cites },
    ...contract.tokenHeaders.map(({ name, cites }) => ({ place: `header ${name}`, cites })),
    ...Object.entries({ path: params, query, form }).flatMap(([part, schema]) =>
      schema === undefined ? [] : propertiesIn(part, schema),
    ),
    ...Object.entries(contract.responses).flatMap(([status, response]) => [
      { place: status, cites: response.cites },
      ...(isSuccess(response) ? propertiesIn(status, response.schema) : []),
    ]),
  ]
}

function propertiesIn(place: string, schema: TSchema, path = ''): Citation[] {
  const own = allCitesOf(schema)
  const properties = isFile(schema) ? [] : Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  return [
    ...(own.length > 0 || path !== '' ? [{ place: `${place} ${path}`.trim(), cites: own }] : []),
    ...properties.flatMap(([name, property]) => propertiesIn(place, property, path === '' ? name : `${path}.${name}`)),
    ...(schema.items === undefined ? [] : propertiesIn(place, schema.items as TSchema, `${path}[*]`)),
  ]
}
