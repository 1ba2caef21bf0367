import type { CollectionName, Fixtures } from '../../api/records.js'
import { quote } from '../contract/wording.js'
import { collectionNames, keyOf, normalizeKey, references, uniques } from './collections.js'
import { InvalidFiles } from './invalid-files.js'
import { type SourceFile, sourceOf } from './source-file.js'
import { MOST_COMPLAINTS } from './validate-source.js'

export type RecordPlaces = Map<object, { readonly source: SourceFile; readonly index: number }>

interface Flaw {
  readonly name: CollectionName
  readonly record: object
  readonly field: string
  readonly message: string
}

/** @throws {InvalidFiles} for records with the same key */
export function requireUniqueKeys(fixtures: Fixtures, places: RecordPlaces): Promise<void> {
  const flaws = collectionNames.flatMap((name) => {
    const [first = {}] = recordsOf(fixtures, name)
    const field = ['id', 'uuid', 'code'].find((one) => one in first) ?? 'id'
    return repetitions(fixtures, name, field, (record) => keyOf(name, record))
  })
  return complain(flaws, fixtures, places)
}

/** @throws {InvalidFiles} for repeated unique fields and dangling references, except of records with one in `before` */
export function requireConsistent(fixtures: Fixtures, places: RecordPlaces, before: Fixtures = {}): Promise<void> {
  const known = new Set(flawsOf(before).map(({ record }) => record))
  const flaws = flawsOf(fixtures).filter(({ record }) => !known.has(record))
  return complain(flaws, fixtures, places)
}

function flawsOf(fixtures: Fixtures): Flaw[] {
  return [
    ...uniques.flatMap(({ in: name, field }) =>
      repetitions(fixtures, name, field, (record) => normalizeKey(fieldOf(record, field))),
    ),
    ...references.flatMap(({ from, field, to, target }) => {
      const known = new Set(recordsOf(fixtures, to).map((record) => normalizeKey(fieldOf(record, target))))
      const isDangling = (value: unknown) => value !== undefined && !known.has(normalizeKey(value))
      return recordsOf(fixtures, from)
        .filter((record) => isDangling(fieldOf(record, field)))
        .map((record): Flaw => {
          const message = `'${field}' refers to a record that does not exist: no record of ${to} has the ${target} ${quote(fieldOf(record, field))}.`
          return { name: from, record, field, message }
        })
    }),
  ]
}

function repetitions(fixtures: Fixtures, name: CollectionName, field: string, of: (record: object) => string): Flaw[] {
  const seen = new Set<string>()
  const repeated = recordsOf(fixtures, name).filter((record) => {
    const value = of(record)
    return seen.has(value) || !seen.add(value)
  })
  return repeated.map((record) => {
    const message = `${name} has another record with the ${field} ${quote(fieldOf(record, field))}: each must be unique.`
    return { name, record, field, message }
  })
}

async function complain(flaws: readonly Flaw[], fixtures: Fixtures, places: RecordPlaces): Promise<void> {
  if (flaws.length === 0) return
  const state = sourceOf('state', fixtures)
  const located = flaws.slice(0, MOST_COMPLAINTS).map(({ name, record, field, message }) => {
    const index = recordsOf(fixtures, name).indexOf(record)
    const place = places.get(record) ?? { source: state, index }
    return place.source.complain([name, place.index, field], message)
  })
  throw new InvalidFiles(await Promise.all(located))
}

function recordsOf(fixtures: Fixtures, name: CollectionName): readonly object[] {
  return fixtures[name] ?? []
}

function fieldOf(record: object, field: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[field]
}
