import type { TObject, TSchema } from '@sinclair/typebox'
import type { Contract } from '../../engine/contract/contract.js'
import { isAbsentWhenEmpty } from '../../engine/contract/fields.js'
import { groupBy } from '../../engine/contract/group-by.js'
import type { SampleFiles } from '../../engine/judge/sample-call.js'
import { describe, sampled } from './describe.js'
import { type SchemaParts, schemaOf } from './schema.js'
import type { Json } from './versions.js'

export interface DocumentParts extends SchemaParts {
  /** Shared query parameters, by their JSON. */
  readonly parameters: ReadonlyMap<string, string>
  readonly sampleFiles: SampleFiles
}

export function sharedParameters(contracts: readonly Contract[], parts: SchemaParts): DocumentParts['parameters'] {
  const all = contracts.flatMap(({ query }) => parametersIn('query', query, parts))
  const names = new Map<string, string>()
  for (const [json, [parameter, ...others]] of groupBy(all, (one) => JSON.stringify(one))) {
    const name = componentName(String(parameter?.name))
    if (others.length > 0 && ![...names.values()].includes(name)) names.set(json, name)
  }
  return names
}

function componentName(parameter: string): string {
  const words = parameter.split(/[^A-Za-z0-9]+/)
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
}

export function parametersOf(contract: Contract, parts: DocumentParts): Json[] {
  return [
    ...parametersIn('path', contract.params, parts),
    ...parametersIn('query', contract.query, parts).map((parameter) => {
      const name = parts.parameters.get(JSON.stringify(parameter))
      return name === undefined ? parameter : referenceTo(name)
    }),
    referenceTo('Prefer'),
  ]
}

function referenceTo(name: string): Json {
  return { $ref: `#/components/parameters/${name}` }
}

function parametersIn(place: 'path' | 'query', { properties, required }: TObject, parts: SchemaParts): Json[] {
  return Object.entries(properties).map(([name, schema]) =>
    parameter(place, name, schema, required?.includes(name) ?? false, parts),
  )
}

/** Tools read description and example at the parameter. */
function parameter(place: string, name: string, schema: TSchema, required: boolean, parts: SchemaParts): Json {
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
