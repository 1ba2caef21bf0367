import type { TObject, TSchema } from '@sinclair/typebox'

/** The keys that lead to a place of a JSON body. */
export type JsonPath = readonly string[]

/** A place of a JSON body in words: `owner.email`, `tags[0]`. */
export function nameAt(path: JsonPath): string {
  return path.map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
}

/** The schema of a place; undefined where a body has none. */
export function schemaAt(schema: TSchema | undefined, path: JsonPath): TSchema | undefined {
  return path.reduce<TSchema | undefined>((outer, key) => outer?.items ?? ownProperty(outer, key), schema)
}

function ownProperty(schema: TSchema | undefined, key: string): TSchema | undefined {
  return Object.hasOwn(schema?.properties ?? {}, key) ? schema?.properties[key] : undefined
}

/** One value of a JSON body, and where it stands. */
export interface JsonPlace {
  readonly path: JsonPath
  readonly value: unknown
}

/** Every place of a JSON body, what holds others before them. */
export function placesIn(value: unknown, path: JsonPath = []): JsonPlace[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [{ path, value }]
  const inner = Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))
  return path.length === 0 ? inner : [{ path, value }, ...inner]
}

/** The texts, numbers and flags of a JSON body by the names of their places. */
export function plainValues(body: unknown): Readonly<Record<string, unknown>> {
  const plain = placesIn(body).filter(({ value }) => typeof value !== 'object')
  return Object.fromEntries(plain.map(({ path, value }) => [nameAt(path), value]))
}

/**
 * All values of a JSON body by the names of their places; null is as if it were absent. A list of plain values is one
 * here, too; what else holds others is the text of its JSON.
 */
export function valuesByName(body: unknown): Readonly<Record<string, unknown>> {
  const present = placesIn(body).filter(({ value }) => value !== null)
  const isText = (value: unknown) => typeof value === 'object' && !(Array.isArray(value) && value.every(isPlain))
  return Object.fromEntries(
    present.map(({ path, value }) => [nameAt(path), isText(value) ? JSON.stringify(value) : value]),
  )
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object'
}

/** A value that fits a schema: its example, else one that is made of those of its parts. */
export function jsonExample(schema: TSchema): unknown {
  const { examples = [], enum: values = [], const: constant, type, items, anyOf } = schema
  const [first = constant] = [...examples, ...values]
  if (first !== undefined) return first
  if (anyOf !== undefined) return jsonExample(anyOf[0])
  if (type === 'object') return jsonObject(schema as TObject, Object.keys(schema.properties ?? {}))
  if (type === 'array') return [jsonExample(items)]
  return PLAIN[type as string]?.(schema) ?? null
}

/** The fields of an object schema that are named, each as its example has it; `known`: better texts for some of them. */
export function jsonObject(
  { properties }: TObject,
  names: readonly string[],
  known: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => {
      const schema = properties[name] as TSchema
      const { [name]: text } = known
      if (text === undefined || !TEXTS.has(schema.type)) return [name, jsonExample(schema)]
      return [name, schema.type === 'string' ? text : Number(text)]
    }),
  )
}

const TEXTS: ReadonlySet<string> = new Set(['string', 'integer', 'number'])

const PLAIN: Readonly<Record<string, (schema: TSchema) => unknown>> = {
  string: ({ format }) => FORMATS[format as string] ?? 'text',
  boolean: () => true,
  integer: ({ minimum = 1 }) => minimum,
  number: ({ minimum = 1 }) => minimum,
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'ada@example.test',
  uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
  'date-time': '2026-01-15T09:30:00.000Z',
  uri: 'https://example.test/',
}
