import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'
import { Changes } from './changes.js'
import { Collection } from './collection.js'
import { collectionNames, definitionOf, type IndexOf } from './collections.js'
import { SeededCollections } from './seeded-collections.js'
import type { Store } from './store.js'

/** A collection whose indexes are known by name. */
export interface Records<Name extends CollectionName> {
  get(key: string): RecordOf<Name> | undefined
  find(index: IndexOf<Name>, value: string): readonly RecordOf<Name>[]
  first(index: IndexOf<Name>, value: string): RecordOf<Name> | undefined
  put(record: RecordOf<Name>): RecordOf<Name>
  all(): Iterable<RecordOf<Name>>
}

/** What a world remembers of the API: the fixtures, and over them all that has changed since. */
export class State {
  readonly #store: Store
  #seeded: SeededCollections
  #collections = new Map<CollectionName, unknown>()
  #revision = 0

  constructor(seeded: SeededCollections, store: Store) {
    const { replaced } = store.changes
    this.#store = store
    this.#seeded = replaced === null ? seeded : new SeededCollections(replaced)
  }

  /** Grows with each change. */
  get revision(): number {
    return this.#revision
  }

  /** The fixtures underneath; collections that no operation writes may be read straight from here. */
  get seeded(): SeededCollections {
    return this.#seeded
  }

  collection<Name extends CollectionName>(name: Name): Records<Name> {
    return this.#open(name)
  }

  /** The next number of a sequence, from 1: what ids, exchanges and draws are derived from. It never goes back. */
  next(sequence: string): number {
    return this.#store.changes.next(sequence)
  }

  /** Whether something has changed that `save` would store. */
  get unsaved(): boolean {
    return this.#store.unsaved
  }

  /**
   * Stores what has changed.
   * @throws {StorageFailure} when it cannot be stored; then all that was not yet stored has been undone
   */
  save(): Promise<void> {
    return this.#store.save()
  }

  /**
   * What a look at the state finds, once all of it is stored: what a write under way may yet undo is not shown, nor what
   * comes while it is waited for.
   * @throws {StorageFailure} when it cannot be stored
   */
  async stored<T>(look: () => T): Promise<T> {
    const found = look()
    await this.save()
    return found
  }

  /** Calls back when all that was done up to now is stored, at once where it needs not be; not when it is undone. */
  whenStored(done: () => void): void {
    this.#store.whenStored(done)
  }

  /** Registers how something outside the state is undone together with it. */
  onFailure(undo: () => void): void {
    this.#store.onFailure(undo)
  }

  /** The whole state in the fixtures format. */
  export(): Fixtures {
    const fixtures: Record<string, unknown> = { version: 1 }
    for (const name of collectionNames) fixtures[name] = [...this.collection(name).all()]
    return fixtures as Fixtures
  }

  /** Replaces the whole state by fixtures. */
  replace(fixtures: Fixtures): void {
    this.#begin(new SeededCollections(fixtures), this.#store.changes.over(fixtures))
  }

  /** Puts whole records over those that are there, by their keys. */
  patch(fixtures: Fixtures): void {
    for (const name of collectionNames) {
      const collection = this.collection(name)
      for (const record of fixtures[name] ?? []) collection.put(record as never)
    }
  }

  /** How many records each collection has. */
  counts(): Readonly<Record<CollectionName, number>> {
    const counts = collectionNames.map((name) => [name, this.#open(name).size])
    return Object.fromEntries(counts)
  }

  /** Starts over with these fixtures. */
  reset(seeded: SeededCollections): void {
    this.#begin(seeded, Changes.none())
  }

  /** Puts the world's changes over other fixtures, as when a fixtures file was edited. */
  rebase(seeded: SeededCollections): void {
    if (this.#store.changes.replaced !== null) return
    this.#seeded = seeded
    this.#collections.clear()
    this.#revision++
  }

  #begin(seeded: SeededCollections, changes: Changes): void {
    const [seededBefore, changesBefore, collections] = [this.#seeded, this.#store.changes, this.#collections]
    this.#seeded = seeded
    this.#collections = new Map()
    this.#revision++
    this.#store.replace(changes)
    this.#store.onFailure(() => {
      this.#revision++
      this.#seeded = seededBefore
      this.#collections = collections
      this.#store.replace(changesBefore)
    })
  }

  #open<Name extends CollectionName>(name: Name): Collection<RecordOf<Name>> {
    const known = this.#collections.get(name)
    if (known !== undefined) return known as Collection<RecordOf<Name>>
    const { changes } = this.#store
    const records = changes.recordsOf(name)
    const collection = new Collection(this.#seeded.collection(name), definitionOf(name), records, (key, before) => {
      changes.mark(name, key)
      this.#revision++
      this.#store.onFailure(() => {
        this.#revision++
        this.#open(name).restore(key, before)
      })
    })
    this.#collections.set(name, collection)
    return collection
  }
}
