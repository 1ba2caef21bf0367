import { deepFreeze } from '../../../schemas/contract.js'
import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'
import { type CollectionDefinition, collectionNames, definitionOf } from './collections.js'

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
  readonly #fixtures: Fixtures
  readonly #collections = new Map<CollectionName, unknown>()
  #views = new Map<string, object>()
  #olderViews = new Map<string, object>()

  constructor(fixtures: Fixtures) {
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

  /** Something derived from the fixtures, kept for the next caller; what was not used for long is dropped. */
  view<T extends object>(name: string, derive: () => T): T {
    const known = this.#views.get(name)
    if (known !== undefined) return known as T
    const view = (this.#olderViews.get(name) as T | undefined) ?? derive()
    this.#views.set(name, view)
    if (this.#views.size === FRESH_VIEWS) {
      this.#olderViews = this.#views
      this.#views = new Map()
    }
    return view
  }
}

/** Twice as many are kept: these, and those that were as many ago. */
const FRESH_VIEWS = 64

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
