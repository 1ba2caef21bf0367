import { quote } from '../contract/wording.js'
import type { CollectionDefinition, Fixtures } from './collections.js'
import { fieldOf, keyOf, normalizeKey, recordsOf, referencesIn } from './collections.js'
import { InvalidFiles, locateFirst } from './invalid-files.js'
import { type SourceFile, sourceFromData } from './source-file.js'

export type RecordPlaces = Map<object, { readonly source: SourceFile; readonly index: number }>

interface Flaw {
  readonly name: string
  readonly record: object
  readonly field: string
  readonly message: string
}

export function requireUniqueKeys(
  fixtures: Fixtures,
  collections: readonly CollectionDefinition[],
  places: RecordPlaces,
): Promise<void> {
  const flaws = collections.flatMap(({ name, key }) => findDuplicates(fixtures, name, key))
  return complain(flaws, fixtures, places)
}

/** @throws {InvalidFiles} for duplicates and dangling references, except in records of `before` that already had one */
export function requireConsistent(
  fixtures: Fixtures,
  collections: readonly CollectionDefinition[],
  places: RecordPlaces,
  before: Fixtures = {},
): Promise<void> {
  const flawedBefore = new Set(findFlaws(before, collections).map(({ record }) => record))
  const flaws = findFlaws(fixtures, collections).filter(({ record }) => !flawedBefore.has(record))
  return complain(flaws, fixtures, places)
}

export function findFlaws(fixtures: Fixtures, collections: readonly CollectionDefinition[]): Flaw[] {
  return [
    ...collections.flatMap(({ name, unique }) => unique.flatMap((field) => findDuplicates(fixtures, name, [field]))),
    ...referencesIn(collections).flatMap(({ from, key, field, to, target }) => {
      const targets = new Set(recordsOf(fixtures, to).map((record) => normalizeKey(fieldOf(record, target))))
      const isDangling = (value: unknown) => value !== undefined && !targets.has(normalizeKey(value))
      return recordsOf(fixtures, from)
        .filter((record) => isDangling(fieldOf(record, field)))
        .map((record): Flaw => {
          const message = `'${field}' of ${from}/${keyOf({ key }, record)} refers to a record that does not exist: no record of ${to} has the ${target} ${quote(fieldOf(record, field))}.`
          return { name: from, record, field, message }
        })
    }),
  ]
}

function findDuplicates(fixtures: Fixtures, name: string, key: readonly string[]): Flaw[] {
  const keys = new Set<string>()
  const duplicates = recordsOf(fixtures, name).filter((record) => {
    const count = keys.size
    return keys.add(keyOf({ key }, record)).size === count
  })
  return duplicates.map((record) => {
    const values = key.map((field) => `${field} ${quote(fieldOf(record, field))}`).join(' and ')
    const message = `${name} has another record with the ${values}, which must be unique.`
    return { name, record, field: key.at(-1) ?? '', message }
  })
}

async function complain(flaws: readonly Flaw[], fixtures: Fixtures, places: RecordPlaces): Promise<void> {
  if (flaws.length === 0) return
  const state = sourceFromData('state', fixtures)
  const complaints = await locateFirst(flaws, ({ name, record, field, message }) => {
    const index = recordsOf(fixtures, name).indexOf(record)
    const place = places.get(record) ?? { source: state, index }
    return place.source.complain([name, place.index, field], message)
  })
  throw new InvalidFiles(complaints)
}
