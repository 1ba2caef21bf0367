import { isDeepStrictEqual } from 'node:util'
import { type Adapter, Low, Memory } from 'lowdb'
import type { CollectionName, Fixtures, RecordOf } from '../../../../schemas/fixtures.js'
import { deepFreeze } from '../../../../schemas/freeze.js'
import type { Effect } from '../journal/exchange.js'
import { collectionNames, copyOf, keyOf, maxCounters, mergeFixtures, normalizeKey, wordsOf } from './collections.js'

/** The fixtures that sandboxes begin with, shared by all of them. */
export interface Seeded {
  readonly fixtures: Fixtures
  readonly files: readonly string[]
}

/** A change could not be stored; what was stored before is untouched. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}

/** Records are frozen: a change replaces one. */
export interface Records<Name extends CollectionName> {
  all(): readonly RecordOf<Name>[]
  get(key: string | number): RecordOf<Name> | undefined
  /** Those with a word (collections.ts); it takes as long with ten thousand records as with ten. */
  lookUp(word: string): readonly RecordOf<Name>[]
  put(record: RecordOf<Name>): RecordOf<Name>
  remove(record: RecordOf<Name>): void
}

export class State {
  readonly #db: Low<Fixtures>
  #seeded: Fixtures
  /** Called after each change; without an effect if all records may have changed. */
  onChange: ((effect?: Effect) => void) | undefined
  /** As last written; undefined in memory, where nothing is ever undone. */
  #stored: Fixtures | undefined
  #isChanged = false
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined
  /** Where the records of a collection are, by key; a test run may upload thousands of signatures. */
  readonly #positions = new Map<CollectionName, Map<string, number>>()
  readonly #words = new Map<CollectionName, Map<string, Set<object>>>()

  constructor({ fixtures }: Seeded, adapter: Adapter<Fixtures> = new Memory()) {
    this.#seeded = deepFreeze(fixtures)
    this.#db = new Low(adapter, copyOf(this.#seeded))
  }

  /** A state that outlives the server: the content of the adapter, or else the fixtures. */
  static async open(seeded: Seeded, adapter: Adapter<Fixtures>): Promise<State> {
    const state = new State(seeded, adapter)
    await state.#db.read()
    state.#db.data = copyOf(deepFreeze(state.#db.data))
    state.#stored = copyOf(state.#db.data)
    return state
  }

  collection<Name extends CollectionName>(name: Name): Records<Name> {
    const list = () => this.#db.data[name] as RecordOf<Name>[]
    return {
      all: list,
      get: (key) => {
        const at = this.#positionsIn(name).get(String(key).split('/').map(normalizeKey).join('/'))
        return at === undefined ? undefined : list()[at]
      },
      lookUp: (word) => [...(this.#wordsIn(name).get(word) ?? [])] as RecordOf<Name>[],
      put: (record) => {
        Object.freeze(record)
        const positions = this.#positionsIn(name)
        const key = keyOf(name, record)
        const known = positions.get(key)
        const at = known ?? list().length
        this.#reword(name, list()[at], record)
        list()[at] = record
        positions.set(key, at)
        this.#noteChange({ collection: name, key, change: known === undefined ? 'added' : 'changed' })
        return record
      },
      remove: (record) => {
        list().splice(list().indexOf(record), 1)
        this.#reword(name, record)
        this.#positions.delete(name)
        this.#noteChange({ collection: name, key: keyOf(name, record), change: 'removed' })
      },
    }
  }

  #positionsIn(name: CollectionName): Map<string, number> {
    const known = this.#positions.get(name)
    if (known !== undefined) return known
    const records: readonly object[] = this.#db.data[name] ?? []
    const positions = new Map(records.map((one, at) => [keyOf(name, one), at]))
    this.#positions.set(name, positions)
    return positions
  }

  #wordsIn(name: CollectionName): Map<string, Set<object>> {
    const known = this.#words.get(name)
    if (known !== undefined) return known
    const words = new Map<string, Set<object>>()
    this.#words.set(name, words)
    for (const record of this.#db.data[name] ?? []) this.#reword(name, undefined, record)
    return words
  }

  #reword(name: CollectionName, before?: object, now?: object): void {
    const words = this.#words.get(name)
    if (words === undefined) return
    for (const word of before === undefined ? [] : wordsOf(name, before)) {
      const records = words.get(word)
      records?.delete(before as object)
      if (records?.size === 0) words.delete(word)
    }
    for (const word of now === undefined ? [] : wordsOf(name, now)) {
      const records = words.get(word)
      if (records === undefined) words.set(word, new Set([now as object]))
      else records.add(now as object)
    }
  }

  /** The next number of a sequence, from 1, to derive an id from. Only a reset begins again. */
  next(sequence: string): number {
    const counters = this.#db.data.counters as Record<string, number>
    const number = (counters[sequence] ?? 0) + 1
    counters[sequence] = number
    return number
  }

  export(): Fixtures {
    const { counters: _, ...fixtures } = copyOf(this.#db.data)
    return fixtures
  }

  /** Replaces the whole state by fixtures; the counters go on, so that ids that were given out stay unique. */
  replace(fixtures: Fixtures): void {
    this.#change({ ...copyOf(deepFreeze(fixtures)), counters: maxCounters(this.#db.data, fixtures) })
  }

  patch(fixtures: Fixtures): void {
    this.#change(mergeFixtures(this.#db.data, deepFreeze(fixtures)))
  }

  reset({ fixtures }: Seeded): void {
    this.#seeded = deepFreeze(fixtures)
    this.#change(copyOf(this.#seeded))
  }

  /** Takes over an edit of the fixtures, except for records that have changed since. */
  rebase({ fixtures }: Seeded): void {
    const { data } = this.#db
    const before = this.#seeded
    this.#seeded = deepFreeze(fixtures)
    const lists = collectionNames.map((name) => {
      const keyed = (records: readonly object[] = []) => new Map(records.map((one) => [keyOf(name, one), one]))
      const [now, old, edited] = [keyed(data[name]), keyed(before[name]), keyed(fixtures[name])]
      const records = [...new Set([...edited.keys(), ...now.keys()])].map((key) =>
        (isDeepStrictEqual(now.get(key), old.get(key)) ? edited : now).get(key),
      )
      return [name, records.filter((one) => one !== undefined)]
    })
    this.#change({ version: 1, ...Object.fromEntries(lists), counters: maxCounters(data, fixtures) })
  }

  /** A state that begins like this one and goes its own way, in memory. */
  copy(): State {
    return new State({ fixtures: copyOf(this.#db.data), files: [] })
  }

  get hasUnsaved(): boolean {
    return this.#isChanged || this.#writing !== undefined
  }

  /**
   * Resolves when all changes up to now are stored; changes during a write share the next one.
   * @throws {StorageFailure} when they cannot be stored; then all since the last good write have been undone
   */
  save(): Promise<void> {
    if (!this.#isChanged) return this.#writing ?? Promise.resolve()
    this.#next ??= (this.#writing ?? Promise.resolve()).then(() => {
      this.#writing = this.#write()
      return this.#writing
    })
    return this.#next
  }

  /** Resolves with the result of `look` after a save. Rejects if the save fails, which undoes the changes. */
  async stored<T>(look: () => T): Promise<T> {
    const found = look()
    await this.save()
    return found
  }

  /** Calls back when all changes up to now are stored, at once if there are none; never when they are undone. */
  whenStored(done: () => void): void {
    if (this.hasUnsaved) this.save().then(done, () => {})
    else done()
  }

  async #write(): Promise<void> {
    this.#next = undefined
    this.#isChanged = false
    const written = copyOf(this.#db.data)
    try {
      await this.#db.write()
      this.#stored = written
    } catch (error) {
      this.#next = undefined
      const stored = this.#stored as Fixtures
      this.#change({ ...copyOf(stored), counters: maxCounters(stored, this.#db.data) })
      this.#isChanged = false
      throw error
    } finally {
      this.#writing = undefined
    }
  }

  #change(data: Fixtures): void {
    this.#positions.clear()
    this.#words.clear()
    this.#db.data = data
    this.#noteChange()
  }

  #noteChange(effect?: Effect): void {
    this.#isChanged = this.#stored !== undefined
    this.onChange?.(effect)
  }
}
