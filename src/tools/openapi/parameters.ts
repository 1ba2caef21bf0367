import type { TObject, TSchema } from '@sinclair/typebox'
import type { Contract } from '../../engine/contract/contract.js'
import { isAbsentWhenEmpty } from '../../engine/contract/fields.js'
import { describe, sampled } from './describe.js'
import { type DocumentParts, schemaOf } from './schema.js'
import type { Json } from './versions.js'

export function parametersOf(contract: Contract, parts: DocumentParts): Json[] {
  return [
    ...parametersIn('path', contract.params, parts),
    ...parametersIn('query', contract.query, parts),
    { $ref: '#/components/parameters/Prefer' },
  ]
}

function parametersIn(place: 'path' | 'query', { properties, required }: TObject, parts: DocumentParts): Json[] {
  return Object.entries(properties).map(([name, schema]) =>
    parameter(place, name, schema, required?.includes(name) ?? false, parts),
  )
}

/** Tools read description and example at the parameter. */
function parameter(place: string, name: string, schema: TSchema, required: boolean, parts: DocumentParts): Json {
  const { description: _, examples, 'x-cites': __, 'x-limits': ___, ...rest } = schema
  return {
    name,
    in: place,
    required,
    ...(isAbsentWhenEmpty(schema) && { allowEmptyValue: true }),
    ...describe(schema),
    schema: schemaOf(rest as TSchema, parts),
    ...(examples !== undefined && sampled(examples[0])),
  }
}
