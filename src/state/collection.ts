import { deepFreeze } from '../../schemas/contract.js'
import type { BaseCollection } from './base.js'
import type { Keeping } from './keeping.js'

/** One collection of a world: the fixtures with the world's own changes over them. */
export class Collection<R extends object> {
  readonly #base: BaseCollection<R>
  readonly #keeping: Keeping<R>
  readonly #changes: Map<string, R>
  /** index → value → keys of the changed records. */
  readonly #indexes = new Map<string, Map<string, Set<string>>>()
  readonly #changed: (key: string, before: R | undefined) => void

  /** `changes` is filled in place: it belongs to the state, which stores it. */
  constructor(
    base: BaseCollection<R>,
    keeping: Keeping<R>,
    changes: Map<string, R>,
    changed: (key: string, before: R | undefined) => void,
  ) {
    this.#base = base
    this.#keeping = keeping
    this.#changes = changes
    this.#changed = changed
    for (const index of Object.keys(keeping.indexes)) this.#indexes.set(index, new Map())
    for (const [key, record] of changes) this.#enter(key, record)
  }

  get(key: string): R | undefined {
    return this.#changes.get(key) ?? this.#base.get(key)
  }

  /** The records that an index holds under a value: the unchanged fixtures first. */
  find(index: string, value: string): readonly R[] {
    const fixtures = this.#base.find(index, value)
    if (this.#changes.size === 0) return fixtures
    const keys = this.#indexes.get(index)?.get(value)
    const unchanged = fixtures.filter((record) => !this.#changes.has(this.#keeping.key(record)))
    if (keys === undefined) return unchanged
    return [...unchanged, ...Array.from(keys, (key) => this.#changes.get(key) as R)]
  }

  first(index: string, value: string): R | undefined {
    return this.find(index, value)[0]
  }

  /** Adds a record, or replaces the one with the same key. */
  put(record: R): R {
    const frozen = deepFreeze(record)
    const key = this.#keeping.key(frozen)
    this.#changed(key, this.#changes.get(key))
    this.#set(key, frozen)
    return frozen
  }

  /** Takes a change back: the record as it was changed before, or the fixture again. */
  restore(key: string, before: R | undefined): void {
    this.#set(key, before)
  }

  /** Every record: the fixtures in their order, replaced where changed, then those that were added. */
  *all(): Generator<R> {
    for (const record of this.#base.records) yield this.#changes.get(this.#keeping.key(record)) ?? record
    for (const [key, record] of this.#changes) if (this.#base.get(key) === undefined) yield record
  }

  #set(key: string, record: R | undefined): void {
    const old = this.#changes.get(key)
    if (old !== undefined) this.#leave(key, old)
    if (record === undefined) {
      this.#changes.delete(key)
    } else {
      this.#changes.set(key, record)
      this.#enter(key, record)
    }
  }

  #enter(key: string, record: R): void {
    for (const [index, by] of Object.entries(this.#keeping.indexes)) {
      const values = this.#indexes.get(index) as Map<string, Set<string>>
      const value = by(record)
      const keys = values.get(value)
      if (keys === undefined) values.set(value, new Set([key]))
      else keys.add(key)
    }
  }

  #leave(key: string, record: R): void {
    for (const [index, by] of Object.entries(this.#keeping.indexes)) {
      const values = this.#indexes.get(index) as Map<string, Set<string>>
      const value = by(record)
      const keys = values.get(value)
      keys?.delete(key)
      if (keys?.size === 0) values.delete(value)
    }
  }
}
