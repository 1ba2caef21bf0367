import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'
import { deepFreeze } from '../../../schemas/freeze.js'
import { Collection } from './collection.js'
import { collectionNames, definitionOf } from './collections.js'

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
  readonly #fixtures: Fixtures
  readonly #collections = new Map<CollectionName, unknown>()

  constructor(fixtures: Fixtures, { name, files = [] }: Origin = {}) {
    this.name = name
    this.files = files
    this.#fixtures = deepFreeze(fixtures)
  }

  collection<Name extends CollectionName>(name: Name): Collection<RecordOf<Name>> {
    let collection = this.#collections.get(name) as Collection<RecordOf<Name>> | undefined
    if (collection === undefined) {
      collection = new Collection(definitionOf(name), (this.#fixtures[name] ?? []) as RecordOf<Name>[])
      this.#collections.set(name, collection)
    }
    return collection
  }

  /** How many ids of each kind were given out before. */
  get counters(): Readonly<Record<string, number>> {
    return this.#fixtures.counters ?? {}
  }

  /** Records in all collections. */
  get size(): number {
    return collectionNames.reduce((sum, name) => sum + (this.#fixtures[name]?.length ?? 0), 0)
  }
}
