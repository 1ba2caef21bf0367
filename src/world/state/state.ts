import { isDeepStrictEqual } from 'node:util'
import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'
import { deepFreeze } from '../../../schemas/freeze.js'
import { collectionNames, keyOf, type LookUpOf, lookedUpBy } from './collections.js'
import { copyOf, highest, rebased } from './lists.js'
import { Store } from './store.js'

/** The fixtures that worlds begin with, shared by all of them. */
export interface Seeded {
  readonly fixtures: Fixtures
  /** The files that were read. */
  readonly files: readonly string[]
}

/** The records of one collection. They are frozen: a change replaces one. */
export interface Records<Name extends CollectionName> {
  get(key: string): RecordOf<Name> | undefined
  find(lookUp: LookUpOf<Name>, value: string): readonly RecordOf<Name>[]
  first(lookUp: LookUpOf<Name>, value: string): RecordOf<Name> | undefined
  /** Adds a record, or replaces the one with the same key. */
  put(record: RecordOf<Name>): RecordOf<Name>
  all(): readonly RecordOf<Name>[]
}

/** The records of a world, in lists of its own that begin with those of the fixtures. */
export class State {
  readonly #store: Store
  #seeded: Fixtures
  #revision = 0

  /** `store`: where changes are kept that outlive the server. */
  constructor({ fixtures }: Seeded, store?: Store) {
    this.#seeded = deepFreeze(fixtures)
    this.#store = store ?? Store.inMemory(copyOf(this.#seeded))
    this.#store.onUndo = () => this.#revision++
    if (store !== undefined) this.#shareSeeded()
  }

  /** Grows with each change. */
  get revision(): number {
    return this.#revision
  }

  collection<Name extends CollectionName>(name: Name): Records<Name> {
    const list = () => this.#store.data[name] as RecordOf<Name>[]
    return {
      all: list,
      get: (key) => list().find((record) => keyOf(name, record) === key),
      find: (lookUp, value) => list().filter((record) => lookedUpBy(name, lookUp, record) === value),
      first: (lookUp, value) => list().find((record) => lookedUpBy(name, lookUp, record) === value),
      put: (record) => {
        const frozen = deepFreeze(record)
        const key = keyOf(name, frozen)
        const at = list().findIndex((one) => keyOf(name, one) === key)
        if (at < 0) list().push(frozen)
        else list()[at] = frozen
        this.#change()
        return frozen
      },
    }
  }

  /** The next number of a sequence, from 1: what ids are derived from. It never goes back but by a reset. */
  next(sequence: string): number {
    const counters = this.#store.data.counters as Record<string, number>
    const number = (counters[sequence] ?? 0) + 1
    counters[sequence] = number
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
   * What `look` finds now, once that is stored: a failing write could still undo it.
   * @throws {StorageFailure} when it cannot be stored
   */
  async stored<T>(look: () => T): Promise<T> {
    const found = look()
    await this.save()
    return found
  }

  /** Calls back when all changes up to now are stored, at once if there are none; never when they are undone. */
  whenStored(done: () => void): void {
    this.#store.whenStored(done)
  }

  /** The whole state in the fixtures format. */
  export(): Fixtures {
    const { counters: _, ...fixtures } = copyOf(this.#store.data)
    return fixtures
  }

  /** Replaces the whole state by fixtures; the counters go on, so that ids that were given out stay unique. */
  replace(fixtures: Fixtures): void {
    this.#replaceData({ ...copyOf(deepFreeze({ ...fixtures })), counters: highest(this.#store.data, fixtures) })
  }

  /** Puts whole records over those that are there, by their keys. */
  patch(fixtures: Fixtures): void {
    const { data } = this.#store
    for (const name of collectionNames) {
      const records = new Map<string, object>(data[name]?.map((record) => [keyOf(name, record), record]))
      for (const record of fixtures[name] ?? []) records.set(keyOf(name, record), deepFreeze(record))
      data[name] = [...records.values()] as never
    }
    this.#change()
  }

  /** A state that begins like this one and goes its own way, in memory. */
  copy(): Store {
    return Store.inMemory(copyOf(this.#store.data))
  }

  /** How many records each collection has. */
  counts(): Readonly<Record<CollectionName, number>> {
    return Object.fromEntries(collectionNames.map((name) => [name, this.collection(name).all().length])) as never
  }

  /** Starts over with these fixtures, including the counters. */
  reset({ fixtures }: Seeded): void {
    this.#seeded = deepFreeze(fixtures)
    this.#replaceData(copyOf(this.#seeded))
  }

  /** Takes over an edit of the fixtures, except for records that have changed since. */
  rebase({ fixtures }: Seeded): void {
    const before = this.#seeded
    this.#seeded = deepFreeze(fixtures)
    this.#replaceData(rebased(this.#store.data, before, this.#seeded))
  }

  #replaceData(data: Fixtures): void {
    this.#store.replace(data)
    this.#revision++
  }

  #change(): void {
    this.#revision++
    this.#store.change()
  }

  /** Uses the seeded record in place of an equal one of a file, which so counts as unchanged when fixtures are edited. */
  #shareSeeded(): void {
    const { data } = this.#store
    for (const name of collectionNames) {
      const seeded = new Map<string, object>(this.#seeded[name]?.map((record) => [keyOf(name, record), record]))
      const shared = data[name]?.map((record) => {
        const known = seeded.get(keyOf(name, record))
        return isDeepStrictEqual(known, record) ? known : record
      })
      data[name] = shared as never
    }
  }
}
