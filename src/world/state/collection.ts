import { deepFreeze } from '../../../schemas/freeze.js'
import type { CollectionDefinition } from './collections.js'
import type { SeededCollection } from './seeded-collections.js'

/** One collection of a world: the fixtures with the world's own changes over them. */
export class Collection<R extends object> {
  readonly #seeded: SeededCollection<R>
  readonly #definition: CollectionDefinition<R>
  readonly #changes: Map<string, R>
  readonly #indexes: readonly Index<R>[]
  readonly #changed: (key: string, before: R | undefined) => void

  /** `changes` is filled in place, since it is what is stored; `changed` is called before each change. */
  constructor(
    seeded: SeededCollection<R>,
    definition: CollectionDefinition<R>,
    changes: Map<string, R>,
    changed: (key: string, before: R | undefined) => void,
  ) {
    this.#seeded = seeded
    this.#definition = definition
    this.#changes = changes
    this.#changed = changed
    this.#indexes = Object.entries(definition.indexes).map(([name, by]) => ({ name, by, keys: new Map() }))
    for (const [key, record] of changes) this.#list(key, undefined, record)
  }

  get(key: string): R | undefined {
    return this.#changes.get(key) ?? this.#seeded.get(key)
  }

  /** The records that an index holds under a value: the unchanged fixtures first. */
  find(index: string, value: string): readonly R[] {
    const fixtures = this.#seeded.find(index, value)
    if (this.#changes.size === 0) return fixtures
    const unchanged = fixtures.filter((record) => !this.#isChanged(record))
    const keys = this.#keysOf(index, value)
    return keys === undefined ? unchanged : [...unchanged, ...Array.from(keys, (key) => this.#changes.get(key) as R)]
  }

  /** The first that `find` finds. */
  first(index: string, value: string): R | undefined {
    for (const record of this.#seeded.find(index, value)) if (!this.#isChanged(record)) return record
    for (const key of this.#keysOf(index, value) ?? []) return this.#changes.get(key)
    return undefined
  }

  /** Adds a record, or replaces the one with the same key. */
  put(record: R): R {
    const frozen = deepFreeze(record)
    const key = this.#definition.key(frozen)
    this.#changed(key, this.#changes.get(key))
    this.#set(key, frozen)
    return frozen
  }

  /** Undoes a change: the record is what it was before, or the fixture again. */
  restore(key: string, before: R | undefined): void {
    this.#set(key, before)
  }

  /** Every record: the fixtures in their order, replaced where changed, then those that were added. */
  *all(): Generator<R> {
    for (const record of this.#seeded.records) yield this.#changes.get(this.#definition.key(record)) ?? record
    for (const [key, record] of this.#changes) if (this.#seeded.get(key) === undefined) yield record
  }

  /** How many there are. */
  get size(): number {
    let added = 0
    for (const key of this.#changes.keys()) if (this.#seeded.get(key) === undefined) added++
    return this.#seeded.records.length + added
  }

  #isChanged(record: R): boolean {
    return this.#changes.size > 0 && this.#changes.has(this.#definition.key(record))
  }

  #keysOf(index: string, value: string): ReadonlySet<string> | undefined {
    return this.#indexes.find(({ name }) => name === index)?.keys.get(value)
  }

  #set(key: string, record: R | undefined): void {
    const before = this.#changes.get(key)
    if (record === undefined) this.#changes.delete(key)
    else this.#changes.set(key, record)
    this.#list(key, before, record)
  }

  /** Lists a key under what its record is now, where that is not what it was. */
  #list(key: string, before: R | undefined, now: R | undefined): void {
    for (const { by, keys } of this.#indexes) {
      const old = before && by(before)
      const value = now && by(now)
      if (old === value) continue
      if (old !== undefined) leave(keys, old, key)
      if (value !== undefined) enter(keys, value, key)
    }
  }
}

/** The changed records by one of their look-ups. */
interface Index<R> {
  readonly name: string
  readonly by: (record: R) => string | undefined
  /** The records' keys by the value that they share. */
  readonly keys: Map<string, Set<string>>
}

function enter(index: Map<string, Set<string>>, value: string, key: string): void {
  const keys = index.get(value)
  if (keys === undefined) index.set(value, new Set([key]))
  else keys.add(key)
}

function leave(index: Map<string, Set<string>>, value: string, key: string): void {
  const keys = index.get(value)
  keys?.delete(key)
  if (keys?.size === 0) index.delete(value)
}
