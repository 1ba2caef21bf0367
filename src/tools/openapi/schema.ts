import { isDeepStrictEqual as isSame } from 'node:util'
import { Kind, type TSchema } from '@sinclair/typebox'
import * as resources from '../../../schemas/resources.js'
import * as bodies from '../../engine/contract/bodies.js'
import { isFile } from '../../engine/contract/fields.js'
import { describe } from './describe.js'
import type { Json, OpenapiVersion } from './versions.js'

/**
 * Named objects by their JSON, since optional ones are copies. Only objects are shared: generators send a form field
 * that refers to a named enum as JSON.
 */
const names = new Map(
  Object.entries<unknown>({ ...resources, ...bodies })
    .flatMap(([name, value]) => (isObjectSchema(value) ? [{ name: value.$id ?? name, schema: value }] : []))
    .map((named) => [JSON.stringify(named.schema), named]),
)

function isObjectSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && Kind in value && (value as TSchema).type === 'object'
}

export function schemaOf(schema: TSchema, version: OpenapiVersion): Json {
  const named = names.get(JSON.stringify(schema))
  return named === undefined ? translate(schema, version) : { $ref: `#/components/schemas/${named.name}` }
}

export function namedSchemas(version: OpenapiVersion): Json {
  return Object.fromEntries(Array.from(names.values(), ({ name, schema }) => [name, translate(schema, version)]))
}

function translate(schema: TSchema, version: OpenapiVersion): Json {
  if (isFile(schema)) return { type: 'string', format: 'binary', ...describe(schema) }
  const keywords = Object.entries(schema)
    // For the checks and messages of the mock only.
    .filter(([keyword]) => !/^(?:\$|x-)/.test(keyword))
    .map((pair) => (isSame(pair, ['format', 'json']) ? ['contentMediaType', 'application/json'] : pair))
    .map(([keyword, value]) => [
      keyword,
      nested[keyword]?.(value as never, (inner) => schemaOf(inner, version)) ?? value,
    ])
  // People read these: the type comes first.
  const translated = {
    ...(schema.type !== undefined && { type: schema['x-types'] ?? schema.type }),
    ...Object.fromEntries(keywords.filter(([keyword]) => keyword !== 'type')),
    ...describe(schema),
  }
  return version === '3.0' ? older(translated) : newer(translated)
}

/** Importers read `example`, though 3.1 prefers `examples`; without it they invent texts from a pattern. */
function newer(schema: Json): Json {
  return Array.isArray(schema.examples) ? { ...schema, example: schema.examples[0] } : schema
}

type Nested = (value: never, translated: (schema: TSchema) => Json) => unknown

const nested: Readonly<Record<string, Nested>> = {
  properties: (schemas: Record<string, TSchema>, translated) =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, translated(schema)])),
  items: (schema: TSchema, translated) => translated(schema),
  anyOf: (schemas: TSchema[], translated) => schemas.map(translated),
}

/** OpenAPI 3.0 writes these differently. */
const rewritten: Readonly<Record<string, (value: never) => Json>> = {
  examples: ([example]: unknown[]) => ({ example }),
  contentMediaType: () => ({}),
  const: (value: unknown) => ({ enum: [value] }),
}

function older(schema: Json): Json {
  if (Array.isArray(schema.type)) return either(schema, schema.type)
  return Object.assign(
    {},
    ...Object.entries(schema).map(([keyword, value]) => rewritten[keyword]?.(value as never) ?? { [keyword]: value }),
  )
}

/** 3.0 has no lists of types. */
function either({ type: _, description, 'x-cites': cites, ...rest }: Json, types: readonly string[]): Json {
  return { description, anyOf: types.map((type) => older({ type, ...(type === 'string' && rest) })), 'x-cites': cites }
}
