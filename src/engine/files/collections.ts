import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { closedObject } from '../contract/fields.js'

type Reference = readonly [collection: string, field: string]

/** Undefined for a record that the index omits. A method's type, so that its parameter is checked bivariantly. */
type IndexKey<R> = { keyOf(record: R): string | undefined }['keyOf']

export interface CollectionDefinition<S extends TObject = TObject, Index extends string = string> {
  readonly name: string
  readonly schema: S
  /** Fields that are unique together. */
  readonly key: readonly string[]
  /** Fields each of which is unique. */
  readonly unique: readonly string[]
  readonly references: Readonly<Record<string, Reference>>
  /** By name: what an operation looks up on each call. */
  readonly indexes: Readonly<Record<Index, IndexKey<Static<S>>>>
}

/** The part that can be sent as JSON. */
export type CollectionKeys = Pick<CollectionDefinition, 'name' | 'key' | 'unique' | 'references'>

interface CollectionParts<S extends TObject, Index extends string> {
  readonly schema: S
  readonly key: readonly (keyof Static<S> & string)[]
  readonly unique?: readonly (keyof Static<S> & string)[]
  readonly references?: { readonly [Field in keyof Static<S> & string]?: Reference }
  readonly indexes?: { readonly [I in Index]: (record: Static<S>) => string | undefined }
}

export function defineCollection<S extends TObject, Index extends string = never>(
  name: string,
  { unique = [], references = {}, indexes, ...rest }: CollectionParts<S, Index>,
): CollectionDefinition<S, Index> {
  const none = {} as Readonly<Record<Index, IndexKey<Static<S>>>>
  return { name, ...rest, unique, references: references as Record<string, Reference>, indexes: indexes ?? none }
}

export interface Fixtures {
  readonly version?: 1
  /** How many ids have been assigned, by kind. */
  readonly counters?: Readonly<Record<string, number>>
  readonly extends?: string
  readonly without?: readonly string[]
  readonly [collection: string]: unknown
}

/** Leaves room: later ids are still safe integers. */
export const LARGEST_COUNTER = 1e15

export type FixturesFormat = ReturnType<typeof fixturesFormat>

/** One JSON object, or one file per key. All keys are optional. */
export function fixturesFormat(collections: readonly CollectionDefinition[], defaults: string) {
  const records: Record<string, TSchema> = {}
  for (const { name, schema } of collections) records[name] = Type.Array(schema)
  const schema: TObject = Type.Partial(
    closedObject({
      $schema: Type.String(),
      version: Type.Literal(1),
      extends: Type.String({
        minLength: 1,
        description:
          '`default`, or the path of a file or folder: the fixtures to which these records are added. A record replaces the one with the same key.',
      }),
      without: Type.Array(Type.String({ minLength: 1 }), {
        description: 'Collections, or records as COLLECTION/KEY, to omit from the extended fixtures.',
      }),
      ...records,
      counters: Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: LARGEST_COUNTER }), {
        description:
          'How many ids of each kind have been assigned. New ids continue from here, so that none is used twice.',
      }),
    }),
    { title: 'countersign fixtures', additionalProperties: false },
  )
  return { collections, schema, defaults }
}

export function recordsOf(fixtures: Fixtures, collection: string): readonly object[] {
  // The schema guarantees a list.
  return (fixtures[collection] ?? []) as readonly object[]
}

export function fieldOf(record: object, field: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[field]
}

/** UUIDs are compared in any letter case. */
export function normalizeKey(value: unknown): string {
  const text = String(value)
  return text.length === 36 && text[8] === '-' && text[23] === '-' ? text.toLowerCase() : text
}

/** The parts of a composite key are joined by a slash. */
export function keyOf({ key }: Pick<CollectionDefinition, 'key'>, record: object): string {
  return key.map((field) => normalizeKey(fieldOf(record, field))).join('/')
}

export function recordsByKey(fixtures: Fixtures, collection: CollectionDefinition): Map<string, object> {
  return new Map(recordsOf(fixtures, collection.name).map((record) => [keyOf(collection, record), record]))
}

/** Records of `added` replace records with the same key; others are appended. */
export function mergeFixtures(base: Fixtures, added: Fixtures, collections: readonly CollectionDefinition[]): Fixtures {
  const lists = collections.map((collection) => {
    const records = new Map([...recordsByKey(base, collection), ...recordsByKey(added, collection)])
    return [collection.name, [...records.values()]]
  })
  return { version: 1, ...Object.fromEntries(lists), counters: maxCounters(base, added) }
}

/** The larger counters keep ids from being reused. */
export function maxCounters({ counters = {} }: Fixtures, other: Fixtures): Record<string, number> {
  const names = Object.keys({ ...counters, ...other.counters })
  const largest = (name: string) => Math.max(counters[name] ?? 0, other.counters?.[name] ?? 0)
  return Object.fromEntries(names.map((name) => [name, largest(name)]))
}

export function countRecords(fixtures: Fixtures): number {
  return Object.values(fixtures).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

export function referencesIn(collections: readonly CollectionKeys[]) {
  return collections.flatMap(({ name: from, key, references }) =>
    Object.entries(references).map(([field, [to, target]]) => ({ from, key, field, to, target })),
  )
}
