import { isDeepStrictEqual } from 'node:util'
import { type Adapter, Low, Memory } from 'lowdb'
import type { CollectionName, Fixtures, RecordOf } from '../../../api/records.js'
import { deepFreeze } from '../../contract/freeze.js'
import {
  collectionNames,
  copyOf,
  keyOf,
  maxCounters,
  mergeFixtures,
  normalizeKey,
  wordsOf,
} from '../../files/collections.js'
import type { Effect } from '../../journal/exchange.js'

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
  /** What `make` makes of all records and of `inputs` alone. It is kept until a record changes, for all who ask. */
  derive<T>(inputs: readonly string[], make: (all: readonly RecordOf<Name>[]) => T): T
  put(record: RecordOf<Name>): RecordOf<Name>
  remove(record: RecordOf<Name>): void
}

/** Kept of a collection at once: each order of each organization, say. */
const MOST_DERIVED = 100

type AnyRecord = RecordOf<CollectionName>

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
  readonly #collections = new Map<CollectionName, Collection>()

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
    const known = this.#collections.get(name)
    if (known !== undefined) return known as Records<CollectionName> as Records<Name>
    const made = new Collection(name, this.#db, this.#noteChange)
    this.#collections.set(name, made)
    return made as Records<CollectionName> as Records<Name>
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
    for (const one of this.#collections.values()) one.forget()
    this.#db.data = data
    this.#noteChange()
  }

  readonly #noteChange = (effect?: Effect): void => {
    this.#isChanged = this.#stored !== undefined
    this.onChange?.(effect)
  }
}

class Collection implements Records<CollectionName> {
  readonly #name: CollectionName
  readonly #db: Low<Fixtures>
  readonly #noteChange: (effect: Effect) => void
  /** Where the records are, by key; a test run may upload thousands of signatures. */
  #positions: Map<string, number> | undefined
  #words: Map<string, Set<AnyRecord>> | undefined
  readonly #derived = new Map<string, unknown>()

  constructor(name: CollectionName, db: Low<Fixtures>, noteChange: (effect: Effect) => void) {
    this.#name = name
    this.#db = db
    this.#noteChange = noteChange
  }

  all(): AnyRecord[] {
    return this.#db.data[this.#name] as AnyRecord[]
  }

  get(key: string | number): AnyRecord | undefined {
    const at = this.#positionsByKey().get(String(key).split('/').map(normalizeKey).join('/'))
    return at === undefined ? undefined : this.all()[at]
  }

  lookUp(word: string): readonly AnyRecord[] {
    return [...(this.#recordsByWord().get(word) ?? [])]
  }

  derive<T>(inputs: readonly string[], make: (all: readonly AnyRecord[]) => T): T {
    const key = inputs.join(' ')
    const known = this.#derived.get(key)
    if (known !== undefined) return known as T
    if (this.#derived.size === MOST_DERIVED) this.#derived.clear()
    const made = make(this.all())
    this.#derived.set(key, made)
    return made
  }

  put<One extends AnyRecord>(record: One): One {
    Object.freeze(record)
    this.#derived.clear()
    const [list, positions, key] = [this.all(), this.#positionsByKey(), keyOf(this.#name, record)]
    const known = positions.get(key)
    const at = known ?? list.length
    this.#reword(list[at], record)
    list[at] = record
    positions.set(key, at)
    this.#noteChange({ collection: this.#name, key, change: known === undefined ? 'added' : 'changed' })
    return record
  }

  remove(record: AnyRecord): void {
    this.all().splice(this.all().indexOf(record), 1)
    this.#derived.clear()
    this.#reword(record)
    this.#positions = undefined
    this.#noteChange({ collection: this.#name, key: keyOf(this.#name, record), change: 'removed' })
  }

  /** The records have been replaced. */
  forget(): void {
    this.#positions = undefined
    this.#words = undefined
    this.#derived.clear()
  }

  #positionsByKey(): Map<string, number> {
    this.#positions ??= new Map(this.all().map((one, at) => [keyOf(this.#name, one), at]))
    return this.#positions
  }

  #recordsByWord(): Map<string, Set<AnyRecord>> {
    if (this.#words !== undefined) return this.#words
    this.#words = new Map()
    for (const record of this.all()) this.#reword(undefined, record)
    return this.#words
  }

  #reword(before?: AnyRecord, now?: AnyRecord): void {
    const words = this.#words
    if (words === undefined) return
    for (const word of before === undefined ? [] : wordsOf(this.#name, before)) {
      const records = words.get(word)
      records?.delete(before as AnyRecord)
      if (records?.size === 0) words.delete(word)
    }
    for (const word of now === undefined ? [] : wordsOf(this.#name, now)) {
      const records = words.get(word)
      if (records === undefined) words.set(word, new Set([now as AnyRecord]))
      else records.add(now as AnyRecord)
    }
  }
}
