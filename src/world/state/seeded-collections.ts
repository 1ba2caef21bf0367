import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'
import { deepFreeze } from '../../../schemas/freeze.js'
import { type CollectionDefinition, collectionNames, definitionOf } from './collections.js'
import { Views } from './views.js'

const NOTHING: readonly never[] = Object.freeze([])

/** One collection of fixtures: frozen, with look-ups that are built when first asked for. */
export class SeededCollection<R> {
  readonly records: readonly R[]
  readonly #definition: CollectionDefinition<R>
  readonly #indexes = new Map<string, Map<string, R[]>>()
  #byKey: Map<string, R> | undefined

  constructor(records: readonly R[], definition: CollectionDefinition<R>) {
    this.records = records
    this.#definition = definition
  }

  get(key: string): R | undefined {
    this.#byKey ??= new Map(this.records.map((record) => [this.#definition.key(record), record]))
    return this.#byKey.get(key)
  }

  find(index: string, value: string): readonly R[] {
    let found = this.#indexes.get(index)
    if (found === undefined) {
      found = group(this.records, this.#definition.indexes[index] as (record: R) => string | undefined)
      this.#indexes.set(index, found)
    }
    return found.get(value) ?? NOTHING
  }
}

/** The fixtures of a world: parsed once, shared by all worlds, never changed. */
export class SeededCollections {
  /** The files that they come from. */
  readonly files: readonly string[]
  readonly #fixtures: Fixtures
  readonly #collections = new Map<CollectionName, unknown>()
  readonly #views = new Views()
  readonly #indexes = new Map<string, object>()

  constructor(fixtures: Fixtures, files: readonly string[] = []) {
    this.files = files
    this.#fixtures = deepFreeze(fixtures)
  }

  collection<Name extends CollectionName>(name: Name): SeededCollection<RecordOf<Name>> {
    let collection = this.#collections.get(name) as SeededCollection<RecordOf<Name>> | undefined
    if (collection === undefined) {
      const records = (this.#fixtures[name] ?? NOTHING) as readonly RecordOf<Name>[]
      collection = new SeededCollection(records, definitionOf(name))
      this.#collections.set(name, collection)
    }
    return collection
  }

  /** Records in all collections. */
  get size(): number {
    return collectionNames.reduce((sum, name) => sum + (this.#fixtures[name]?.length ?? 0), 0)
  }

  /** Something derived from the fixtures, kept for the next caller as far as it fits; `weigh` tells its bytes. */
  view<T extends object>(name: string, derive: () => T, weigh: (view: T) => number): T {
    return this.#views.get(name, derive, weigh)
  }

  /** Something that indexes records of the fixtures, kept for good: no record may be in many of them. */
  index<T extends object>(name: string, derive: () => T): T {
    const known = this.#indexes.get(name)
    if (known !== undefined) return known as T
    const index = derive()
    this.#indexes.set(name, index)
    return index
  }
}

function group<R>(records: readonly R[], by: (record: R) => string | undefined): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const record of records) {
    const value = by(record)
    if (value === undefined) continue
    const members = groups.get(value)
    if (members === undefined) groups.set(value, [record])
    else members.push(record)
  }
  return groups
}
