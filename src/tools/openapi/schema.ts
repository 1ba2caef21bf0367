import { isDeepStrictEqual as isSame } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import type { Api } from '../../engine/api.js'
import { allCitesOf, type Cite } from '../../engine/contract/cites.js'
import { isFile } from '../../engine/contract/fields.js'
import type { SampleFiles } from '../../engine/judge/sample-call.js'
import type { Json, OpenapiVersion } from './versions.js'

export interface DocumentParts {
  readonly version: OpenapiVersion
  /** Names by the schema's JSON: identity does not help, since optional schemas are copies. */
  readonly schemas: ReadonlyMap<string, string>
  readonly sampleFiles: SampleFiles
}

/** Only objects: generators send a form field with a named enum as JSON. */
export function namedSchemas({ resources, conventions }: Api): DocumentParts['schemas'] {
  const all = { ...resources, Error: conventions.envelope.schema }
  const entries = Object.entries(all)
    .filter(([, schema]) => schema.type === 'object')
    .map(([name, schema]) => [JSON.stringify(schema), schema.$id ?? name] as const)
  return new Map(entries)
}

export function schemaOf(schema: TSchema, parts: DocumentParts): Json {
  const name = parts.schemas.get(JSON.stringify(schema))
  return name === undefined ? translate(schema, parts) : { $ref: `#/components/schemas/${name}` }
}

export function translatedSchemas(parts: DocumentParts): Json {
  return Object.fromEntries(Array.from(parts.schemas, ([json, name]) => [name, translate(JSON.parse(json), parts)]))
}

function translate(schema: TSchema, parts: DocumentParts): Json {
  if (isFile(schema)) return { type: 'string', format: 'binary', ...describe(schema) }
  const keywords = Object.entries(schema)
    .filter(([keyword]) => !/^(?:\$|x-)/.test(keyword))
    .map((pair) => (isSame(pair, ['format', 'json']) ? ['contentMediaType', 'application/json'] : pair))
    .map(([keyword, value]) => [keyword, translateValue(keyword, value, parts)])
  // The type first, as people write it.
  const translated = {
    ...(schema.type !== undefined && { type: schema['x-types'] ?? schema.type }),
    ...Object.fromEntries(keywords.filter(([keyword]) => keyword !== 'type')),
    ...describe(schema),
  }
  if (parts.version === '3.0') return toVersion30(translated)
  // Importers read `example`; without it, they invent texts from patterns.
  return Array.isArray(schema.examples) ? { ...translated, example: schema.examples[0] } : translated
}

function translateValue(keyword: string, value: TSchema & readonly TSchema[], parts: DocumentParts): unknown {
  if (keyword === 'items') return schemaOf(value, parts)
  if (keyword === 'anyOf') return value.map((schema) => schemaOf(schema, parts))
  if (keyword !== 'properties') return value
  return Object.fromEntries(Object.entries<TSchema>(value).map(([name, schema]) => [name, schemaOf(schema, parts)]))
}

/** Keywords that OpenAPI 3.0 writes differently. */
const keywords30: Readonly<Record<string, (value: never) => Json>> = {
  examples: ([example]: unknown[]) => ({ example }),
  contentMediaType: () => ({}),
  const: (value: unknown) => ({ enum: [value] }),
}

function toVersion30(schema: Json): Json {
  if (Array.isArray(schema.type)) return anyOfTypes(schema, schema.type)
  const entries = Object.entries(schema)
  return Object.assign({}, ...entries.map(([name, value]) => keywords30[name]?.(value as never) ?? { [name]: value }))
}

/** 3.0 has no lists of types. */
function anyOfTypes({ type: _, description, 'x-cites': cites, ...rest }: Json, types: readonly string[]): Json {
  const anyOf = types.map((type) => toVersion30({ type, ...(type === 'string' && rest) }))
  return { description, anyOf, 'x-cites': cites }
}

/** Matches cites, and words that look like one. */
const CITES = /\b(?:S|I-)\w+(?:\.\w+)*/g

export function withCites(description: string, cites: readonly Cite[]): string {
  const mentioned: readonly string[] = description.match(CITES) ?? []
  const others = cites.filter((cite) => !mentioned.includes(cite))
  return others.length === 0 ? description : `${description} (${others.join(', ')})`.trim()
}

export function describe(schema: TSchema): Json {
  const cites = allCitesOf(schema)
  const description = withCites(schema.description ?? '', cites)
  return { ...(description !== '' && { description }), ...(cites.length > 0 && { 'x-cites': cites }) }
}

/** Tools pair the examples of a request and a response by this name. */
export const SAMPLE = 'sample'

export function examplesWith(value: unknown): Json {
  return { examples: { [SAMPLE]: { value } } }
}
