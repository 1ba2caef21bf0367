import type { TObject, TSchema } from '@sinclair/typebox'
import { conventions } from '../../../schemas/conventions.js'
import { USER_TYPE_NAME } from '../../../schemas/user-type.js'
import type { Contract } from '../../engine/contract/contract.js'
import { isAbsentWhenEmpty } from '../../engine/contract/emptiness.js'
import { userType } from '../../engine/contract/fields.js'
import { describe, sampled } from './describe.js'
import { schemaOf } from './schema.js'
import type { Json, OpenapiVersion } from './versions.js'

export function parametersOf(contract: Contract, version: OpenapiVersion): Json[] {
  const shared = JSON.stringify(userTypeParameter(version))
  return [
    ...parametersIn('path', contract.params, version),
    ...parametersIn('query', contract.query, version).map((parameter) =>
      JSON.stringify(parameter) === shared ? { $ref: '#/components/parameters/UserType' } : parameter,
    ),
    { $ref: '#/components/parameters/Prefer' },
  ]
}

/** The only parameter that operations share. */
export function userTypeParameter(version: OpenapiVersion): Json {
  return parameter('query', USER_TYPE_NAME, userType([conventions.requiredUserType]), true, version)
}

function parametersIn(place: 'path' | 'query', { properties, required }: TObject, version: OpenapiVersion): Json[] {
  return Object.entries(properties).map(([name, schema]) =>
    parameter(place, name, schema, required?.includes(name) ?? false, version),
  )
}

/** Tools look for description and example at the parameter. */
function parameter(place: string, name: string, schema: TSchema, required: boolean, version: OpenapiVersion): Json {
  const { description: _, examples, 'x-cites': __, 'x-limits': ___, ...rest } = schema
  return {
    name,
    in: place,
    required,
    ...(isAbsentWhenEmpty(schema) && { allowEmptyValue: true }),
    ...describe(schema),
    schema: schemaOf(rest as TSchema, version),
    ...(examples !== undefined && sampled(examples[0])),
  }
}
