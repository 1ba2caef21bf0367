import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'
import { deepFreeze } from '../../../schemas/freeze.js'
import { type CollectionDefinition, collectionNames, definitionOf } from './collections.js'
import { Lookups } from './lookups.js'

const NOTHING: readonly never[] = Object.freeze([])

/** One collection of fixtures: frozen, with indexes that are built when first asked for. */
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

/** Where fixtures come from. */
interface Origin {
  /** What `extends` calls them; undefined for those that a program gave, which have no name. */
  readonly name?: string
  /** The files that were read. */
  readonly files?: readonly string[]
}

/** The fixtures of a world: parsed once, shared by all worlds, never changed. */
export class SeededCollections {
  readonly name: string | undefined
  readonly files: readonly string[]
  /** What the worlds over these fixtures look up in whole collections. */
  readonly lookups = new Lookups()
  readonly fixtures: Fixtures
  readonly #collections = new Map<CollectionName, unknown>()

  constructor(fixtures: Fixtures, { name, files = [] }: Origin = {}) {
    this.name = name
    this.files = files
    this.fixtures = deepFreeze(fixtures)
  }

  collection<Name extends CollectionName>(name: Name): SeededCollection<RecordOf<Name>> {
    let collection = this.#collections.get(name) as SeededCollection<RecordOf<Name>> | undefined
    if (collection === undefined) {
      const records = (this.fixtures[name] ?? NOTHING) as readonly RecordOf<Name>[]
      collection = new SeededCollection(records, definitionOf(name))
      this.#collections.set(name, collection)
    }
    return collection
  }

  /** Records in all collections. */
  get size(): number {
    return collectionNames.reduce((sum, name) => sum + (this.fixtures[name]?.length ?? 0), 0)
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
