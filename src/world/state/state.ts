import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'
import { Collection } from './collection.js'
import { collectionNames, definitionOf, type LookUpOf } from './collections.js'
import { copyOf, highest, overlayOf, unchanged } from './overlay.js'
import type { SeededCollections } from './seeded-collections.js'
import { Store } from './store.js'

/** A collection whose look-ups are known by name. */
export interface Records<Name extends CollectionName> {
  get(key: string): RecordOf<Name> | undefined
  find(lookUp: LookUpOf<Name>, value: string): readonly RecordOf<Name>[]
  first(lookUp: LookUpOf<Name>, value: string): RecordOf<Name> | undefined
  put(record: RecordOf<Name>): RecordOf<Name>
  all(): Iterable<RecordOf<Name>>
}

/** What a world remembers of the API: the fixtures, and over them all that has changed since. */
export class State {
  readonly #store: Store
  #fixtures: SeededCollections
  #collections = new Map<CollectionName, unknown>()
  #revision = 0

  /** `store`: where changes are kept that outlive the server. */
  constructor(fixtures: SeededCollections, store?: Store) {
    this.#fixtures = fixtures
    this.#store = store ?? Store.inMemory(unchanged(fixtures))
    this.#store.onUndo = () => this.#reopen()
    this.#reopen()
  }

  /** Grows with each change. */
  get revision(): number {
    return this.#revision
  }

  collection<Name extends CollectionName>(name: Name): Records<Name> {
    return this.#open(name)
  }

  /** The next number of a sequence, from 1: what ids are derived from. It never goes back but by a reset. */
  next(sequence: string): number {
    const { data } = this.#store
    data.counters ??= {}
    const number = Math.max(data.counters[sequence] ?? 0, this.#below?.counters[sequence] ?? 0) + 1
    data.counters[sequence] = number
    return number
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

  /** The whole state in the fixtures format. */
  export(): Fixtures {
    const fixtures: Record<string, unknown> = { version: 1 }
    for (const name of collectionNames) fixtures[name] = [...this.collection(name).all()]
    return fixtures as Fixtures
  }

  /** Replaces the whole state by fixtures; the counters go on, so that ids that were given out stay unique. */
  replace(fixtures: Fixtures): void {
    this.#begin({ ...overlayOf(fixtures), counters: highest(this.#store.data, this.#below ?? {}, fixtures) })
  }

  /** Puts whole records over those that are there, by their keys. */
  patch(fixtures: Fixtures): void {
    for (const name of collectionNames) {
      // Which of the collections it is, the types do not follow.
      const collection = this.collection(name)
      for (const record of fixtures[name] ?? []) collection.put(record as never)
    }
  }

  /** The changes of this state, for another one over the same fixtures that goes its own way. */
  copy(): Store {
    return Store.inMemory(copyOf(this.#store.data))
  }

  /** How many records each collection has. */
  counts(): Readonly<Record<CollectionName, number>> {
    const counts = collectionNames.map((name) => [name, this.#open(name).size])
    return Object.fromEntries(counts)
  }

  /** Starts over with these fixtures, including the counters. */
  reset(fixtures: SeededCollections): void {
    this.#fixtures = fixtures
    this.#begin(unchanged(fixtures))
  }

  /** Puts the world's changes over other fixtures, as when a fixtures file was edited. */
  rebase(fixtures: SeededCollections): void {
    this.#fixtures = fixtures
    this.#reopen()
  }

  /** What the changes lie over; undefined where they are all there is. */
  get #below(): SeededCollections | undefined {
    return this.#store.data.extends === undefined ? undefined : this.#fixtures
  }

  #begin(data: Fixtures): void {
    this.#store.replace(data)
    this.#reopen()
  }

  /** Reads the records again, after any change in the store or the fixtures. */
  #reopen(): void {
    const { data, isFile } = this.#store
    this.#collections = new Map()
    this.#revision++
    if (data.extends === undefined) return
    data.extends = unchanged(this.#fixtures).extends as string
    // A file cannot name fixtures that a program gave: it has them all.
    if (isFile && this.#fixtures.name === undefined) this.replace(this.export())
  }

  #open<Name extends CollectionName>(name: Name): Collection<RecordOf<Name>> {
    const known = this.#collections.get(name)
    if (known !== undefined) return known as Collection<RecordOf<Name>>
    const { data } = this.#store
    const own = (data[name] ?? []) as RecordOf<Name>[]
    const collection = new Collection(definitionOf(name), own, this.#below?.collection(name), () => {
      // What nobody changes stays out of the store. Which collection it is, the types do not follow.
      data[name] = own as never
      this.#revision++
      this.#store.change()
    })
    this.#collections.set(name, collection)
    return collection
  }
}
