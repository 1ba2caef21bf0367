import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'
import { Collection } from './collection.js'
import { collectionNames, definitionOf, type IndexOf } from './collections.js'
import { SeededCollections } from './seeded-collections.js'
import { changesOf, type Store } from './store.js'

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
  #seeded: SeededCollections
  readonly #store: Store
  readonly #collections = new Map<CollectionName, unknown>()
  #undo: (() => void)[] = []

  constructor(seeded: SeededCollections, store: Store) {
    this.#store = store
    this.#seeded = store.changes.replaced === null ? seeded : new SeededCollections(store.changes.replaced)
  }

  /** The fixtures underneath; collections that no operation writes may be read straight from here. */
  get seeded(): SeededCollections {
    return this.#seeded
  }

  collection<Name extends CollectionName>(name: Name): Records<Name> {
    let collection = this.#collections.get(name)
    if (collection === undefined) {
      collection = this.#open(name)
      this.#collections.set(name, collection)
    }
    return collection as Records<Name>
  }

  /** The next number of a sequence, from 1: what ids, exchanges and draws are derived from. */
  next(sequence: string): number {
    const { counters } = this.#store.changes
    const before = counters[sequence] ?? 0
    counters[sequence] = before + 1
    this.#remember(() => {
      counters[sequence] = before
    })
    return before + 1
  }

  /** Whether something has changed that `save` would store. */
  get unsaved(): boolean {
    return this.#undo.length > 0
  }

  /**
   * Stores what has changed. When it cannot be stored, the changes since the last save are undone.
   * @throws {StorageFailure} when the file cannot be written
   */
  async save(): Promise<void> {
    if (!this.unsaved) return
    const undo = this.#undo
    this.#undo = []
    try {
      await this.#store.flush()
    } catch (error) {
      for (const step of undo.reverse()) step()
      throw error
    }
  }

  /** The whole state in the fixtures format. */
  export(): Fixtures {
    const fixtures: Record<string, unknown> = { version: 1 }
    for (const name of collectionNames) fixtures[name] = [...this.collection(name).all()]
    return fixtures as Fixtures
  }

  /** Replaces the whole state by fixtures. */
  replace(fixtures: Fixtures): void {
    this.#reset(new SeededCollections(fixtures), fixtures)
  }

  /** Starts over with these fixtures. */
  reset(seeded: SeededCollections): void {
    this.#reset(seeded, null)
  }

  /** Puts the world's changes over other fixtures, as when a fixtures file was edited. */
  rebase(seeded: SeededCollections): void {
    if (this.#store.changes.replaced !== null) return
    this.#seeded = seeded
    this.#collections.clear()
  }

  #reset(seeded: SeededCollections, replaced: Fixtures | null): void {
    this.#seeded = seeded
    this.#collections.clear()
    this.#store.clear(replaced)
    this.#undo = []
    this.#remember(() => {})
  }

  /** Only a durable store can fail, so that changes must be undone. */
  #remember(undo: () => void): void {
    if (this.#store.durable) this.#undo.push(undo)
  }

  #open<Name extends CollectionName>(name: Name): Collection<RecordOf<Name>> {
    const changes = changesOf(this.#store.changes, name)
    const collection = new Collection(this.#seeded.collection(name), definitionOf(name), changes, (key, before) =>
      this.#remember(() => collection.restore(key, before)),
    )
    return collection
  }
}
