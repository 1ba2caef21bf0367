import { isDeepStrictEqual } from 'node:util'
import type { Static, TObject } from '@sinclair/typebox'
import { type Adapter, Low, Memory } from 'lowdb'
import { deepFreeze } from '../../contract/freeze.js'
import {
  type CollectionDefinition,
  type Fixtures,
  keyOf,
  LARGEST_COUNTER,
  maxCounters,
  mergeFixtures,
  normalizeKey,
  recordsByKey,
  recordsOf,
} from '../../files/collections.js'
import { findFlaws } from '../../files/consistency.js'
import type { Effect } from '../../journal/exchange.js'
import type { SeedData } from '../settings.js'

export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}

const MAX_MEMOIZED = 100
export const MOST_ADDED_CHARACTERS = 64_000_000
export const NO_ROOM = 'Calls have added over 64 million characters of records. Reset or delete sandboxes.'

export class State {
  readonly #db: Low<Fixtures>
  #seeded: Fixtures
  /** Without an effect, all records may have changed. */
  onChange: ((effect?: Effect) => void) | undefined
  /** The data of the last successful write; undefined without --persist. */
  #stored: Fixtures | undefined
  /** Characters of records that calls have added; `total`: to all sandboxes. */
  added = 0
  total = { added: 0 }
  #isChanged = false
  #currentWrite: Promise<void> | undefined
  #nextWrite: Promise<void> | undefined
  readonly #collections = new Map<string, Records>()

  constructor(
    { fixtures }: Pick<SeedData, 'fixtures'>,
    readonly definitions: readonly CollectionDefinition[],
    adapter: Adapter<Fixtures> = new Memory(),
  ) {
    this.#seeded = deepFreeze(fixtures)
    this.#db = new Low(adapter, this.#copy(this.#seeded))
  }

  static async open(
    seeded: SeedData,
    definitions: readonly CollectionDefinition[],
    adapter: Adapter<Fixtures>,
  ): Promise<State> {
    const state = new State(seeded, definitions, adapter)
    await state.#db.read()
    state.#db.data = state.#copy(deepFreeze(state.#db.data))
    state.#stored = state.#copy(state.#db.data)
    return state
  }

  collection<S extends TObject, Index extends string>(definition: CollectionDefinition<S, Index>): Records<S, Index> {
    const existing = this.#collections.get(definition.name)
    // Each name has one definition.
    if (existing !== undefined) return existing as unknown as Records<S, Index>
    const records = new Records(definition, this.#db, this.#reportChange)
    this.#collections.set(definition.name, records as unknown as Records)
    return records
  }

  /** Counts from 1, and again from 1 after a reset and after LARGEST_COUNTER. */
  next(sequence: string): number {
    const counters = this.#db.data.counters as Record<string, number>
    const number = ((counters[sequence] ?? 0) % LARGEST_COUNTER) + 1
    counters[sequence] = number
    return number
  }

  export(): Fixtures {
    const { counters: _, ...fixtures } = this.#copy(this.#db.data)
    return fixtures
  }

  /** Keeps the counters, so that ids stay unique. */
  replace(fixtures: Fixtures): void {
    this.#change({ ...this.#copy(deepFreeze(fixtures)), counters: maxCounters(this.#db.data, fixtures) })
  }

  /** @throws {StorageFailure} if calls have added too many characters */
  patch(fixtures: Fixtures): void {
    if (this.total.added > MOST_ADDED_CHARACTERS) throw new StorageFailure(NO_ROOM)
    const data = mergeFixtures(this.#db.data, deepFreeze(fixtures), this.definitions)
    this.#change(data, this.added + JSON.stringify(fixtures).length)
  }

  reset({ fixtures }: SeedData): void {
    this.#seeded = deepFreeze(fixtures)
    this.#change(this.#copy(this.#seeded))
  }

  /** Keeps records that have changed; false if they do not fit the edited fixtures. */
  applyEditedFixtures(seeded: SeedData): boolean {
    const data = this.withEditedFixtures(seeded)
    if (findFlaws(data, this.definitions).length > 0) return false
    this.#seeded = deepFreeze(seeded.fixtures)
    this.#change(data, this.added)
    return true
  }

  withEditedFixtures({ fixtures }: SeedData): Fixtures {
    const { data } = this.#db
    const lists = this.definitions.map((definition) => {
      const current = recordsByKey(data, definition)
      const seeded = recordsByKey(this.#seeded, definition)
      const edited = recordsByKey(fixtures, definition)
      const keys = [...new Set([...edited.keys(), ...current.keys()])]
      const isUnchanged = (key: string) => isDeepStrictEqual(current.get(key), seeded.get(key))
      const records = keys.map((key) => (isUnchanged(key) ? edited : current).get(key))
      return [definition.name, records.filter((record) => record !== undefined)]
    })
    return { version: 1, ...Object.fromEntries(lists), counters: maxCounters(data, fixtures) }
  }

  copy(): State {
    return new State({ fixtures: this.#copy(this.#db.data) }, this.definitions)
  }

  get hasUnsaved(): boolean {
    return this.#isChanged || this.#currentWrite !== undefined
  }

  /** Changes made during a write share the next write. @throws {StorageFailure} after undoing all unsaved changes */
  save(): Promise<void> {
    const currentWrite = this.#currentWrite ?? Promise.resolve()
    if (!this.#isChanged) return currentWrite
    this.#nextWrite ??= currentWrite.then(() => {
      this.#currentWrite = this.#write()
      return this.#currentWrite
    })
    return this.#nextWrite
  }

  async readAndSave<T>(read: () => T): Promise<T> {
    const result = read()
    await this.save()
    return result
  }

  /** Calls back at once if nothing is unsaved; never if the changes are undone. */
  afterSave(done: () => void): void {
    if (this.hasUnsaved) this.save().then(done, () => {})
    else done()
  }

  async #write(): Promise<void> {
    this.#nextWrite = undefined
    this.#isChanged = false
    const snapshot = this.#copy(this.#db.data)
    try {
      await this.#db.write()
      this.#stored = snapshot
    } catch (error) {
      this.#nextWrite = undefined
      const stored = this.#stored as Fixtures
      this.#change({ ...this.#copy(stored), counters: maxCounters(stored, this.#db.data) })
      this.#isChanged = false
      throw error
    } finally {
      this.#currentWrite = undefined
    }
  }

  /** Shares the frozen records. */
  #copy(fixtures: Fixtures): Fixtures {
    const lists = this.definitions.map(({ name }) => [name, [...recordsOf(fixtures, name)]])
    return { version: 1, ...Object.fromEntries(lists), counters: { ...fixtures.counters } }
  }

  #change(data: Fixtures, added = 0): void {
    for (const records of this.#collections.values()) records.clear()
    this.#db.data = data
    this.#reportChange(undefined, added - this.added)
  }

  readonly #reportChange = (effect: Effect | undefined, characters: number): void => {
    this.added += characters
    this.total.added += characters
    this.#isChanged = this.#stored !== undefined
    this.onChange?.(effect)
  }
}

/** Records are frozen; `put` adds or replaces a record. */
export class Records<S extends TObject = TObject, Index extends string = string> {
  #positions: Map<string, number> | undefined
  #indexes: Map<string, Set<Static<S>>> | undefined
  readonly #memoized = new Map<string, unknown>()

  constructor(
    private readonly definition: CollectionDefinition<S, Index>,
    private readonly db: Low<Fixtures>,
    private readonly reportChange: (effect: Effect, characters: number) => void,
  ) {}

  all(): readonly Static<S>[] {
    return this.db.data[this.definition.name] as Static<S>[]
  }

  get(key: string | number): Static<S> | undefined {
    const at = this.#positionsByKey().get(String(key).split('/').map(normalizeKey).join('/'))
    return at === undefined ? undefined : this.all()[at]
  }

  findBy(index: Index, key: string): readonly Static<S>[] {
    return [...(this.#recordsByIndex().get(`${index} ${key}`) ?? [])]
  }

  /** Memoized by `inputs` until a record changes. */
  memoize<T>(inputs: readonly string[], make: (all: readonly Static<S>[]) => T): T {
    const key = inputs.join(' ')
    const memoized = this.#memoized.get(key)
    if (memoized !== undefined) return memoized as T
    if (this.#memoized.size === MAX_MEMOIZED) this.#memoized.clear()
    const result = make(this.all())
    this.#memoized.set(key, result)
    return result
  }

  put(record: Static<S>): Static<S> {
    Object.freeze(record)
    this.#memoized.clear()
    const [list, positions, key] = [this.all() as Static<S>[], this.#positionsByKey(), keyOf(this.definition, record)]
    const change = positions.has(key) ? 'changed' : 'added'
    const at = positions.get(key) ?? list.length
    this.#reindex(list[at], record)
    const before: Partial<Static<S>> = list[at] ?? {}
    let characters = 0
    for (const field in record) characters += String(record[field]).length - String(before[field] ?? '').length
    list[at] = record
    positions.set(key, at)
    this.reportChange({ collection: this.definition.name, key, change }, characters)
    return record
  }

  remove(record: Static<S>): void {
    const list = this.all() as Static<S>[]
    list.splice(list.indexOf(record), 1)
    this.#memoized.clear()
    this.#reindex(record)
    this.#positions = undefined
    const key = keyOf(this.definition, record)
    this.reportChange({ collection: this.definition.name, key, change: 'removed' }, 0)
  }

  clear(): void {
    this.#positions = undefined
    this.#indexes = undefined
    this.#memoized.clear()
  }

  #positionsByKey(): Map<string, number> {
    this.#positions ??= new Map(this.all().map((one, at) => [keyOf(this.definition, one), at]))
    return this.#positions
  }

  #recordsByIndex(): Map<string, Set<Static<S>>> {
    if (this.#indexes !== undefined) return this.#indexes
    this.#indexes = new Map()
    for (const record of this.all()) this.#reindex(undefined, record)
    return this.#indexes
  }

  #reindex(before: Static<S> | undefined, now?: Static<S>): void {
    const indexes = this.#indexes
    if (indexes === undefined) return
    for (const index in this.definition.indexes) {
      const indexKeyOf = this.definition.indexes[index]
      if (before !== undefined) removeFrom(indexes, `${index} ${indexKeyOf(before)}`, before)
      const key = now && indexKeyOf(now)
      if (now === undefined || key === undefined) continue
      const records = indexes.get(`${index} ${key}`)
      if (records === undefined) indexes.set(`${index} ${key}`, new Set([now]))
      else records.add(now)
    }
  }
}

function removeFrom<R>(index: Map<string, Set<R>>, key: string, record: R): void {
  const records = index.get(key)
  records?.delete(record)
  if (records?.size === 0) index.delete(key)
}
