import { deepFreeze } from '../../../schemas/freeze.js'
import type { CollectionDefinition } from './collections.js'
import type { SeededCollection } from './seeded-collections.js'

/** One collection of a world: the fixtures with the world's own records over them. */
export class Collection<R extends object> {
  readonly #seeded: SeededCollection<R>
  readonly #definition: CollectionDefinition<R>
  /** The world's own records: those that were added, and those that take the place of fixtures. */
  readonly #own: R[]
  readonly #places = new Map<string, number>()
  readonly #indexes = new Map<string, Index<R>>()
  readonly #onPut: () => void
  #version: object

  /** `own` is filled in place, since it is what is stored; `onPut` is called after each change. */
  constructor(seeded: SeededCollection<R>, definition: CollectionDefinition<R>, own: R[], onPut: () => void) {
    this.#seeded = seeded
    this.#definition = definition
    this.#own = own
    this.#onPut = onPut
    this.#version = own.length === 0 ? seeded : {}
    for (const [place, record] of own.entries()) this.#places.set(definition.key(record), place)
  }

  /** Stands for the records as they are; that of the fixtures where they are unchanged. */
  get version(): object {
    return this.#version
  }

  get(key: string): R | undefined {
    const place = this.#places.get(key)
    return place === undefined ? this.#seeded.get(key) : this.#own[place]
  }

  /** The records that an index holds under a value: the unchanged fixtures first. */
  find(index: string, value: string): readonly R[] {
    const fixtures = this.#seeded.find(index, value)
    if (this.#own.length === 0) return fixtures
    const unchanged = fixtures.filter((record) => !this.#isChanged(record))
    return [...unchanged, ...Array.from(this.#placesOf(index, value), (place) => this.#own[place] as R)]
  }

  /** The first that `find` finds. */
  first(index: string, value: string): R | undefined {
    for (const record of this.#seeded.find(index, value)) if (!this.#isChanged(record)) return record
    for (const place of this.#placesOf(index, value)) return this.#own[place]
    return undefined
  }

  /** Adds a record, or replaces the one with the same key. */
  put(record: R): R {
    const frozen = deepFreeze(record)
    const key = this.#definition.key(frozen)
    const place = this.#places.get(key) ?? this.#own.length
    for (const index of this.#indexes.values()) index.move(place, this.#own[place], frozen)
    this.#own[place] = frozen
    this.#places.set(key, place)
    this.#version = {}
    this.#onPut()
    return frozen
  }

  /** Every record: the fixtures in their order, replaced where changed, then those that were added. */
  *all(): Generator<R> {
    for (const record of this.#seeded.records) {
      const place = this.#own.length === 0 ? undefined : this.#places.get(this.#definition.key(record))
      yield place === undefined ? record : (this.#own[place] as R)
    }
    for (const [key, place] of this.#places) if (this.#seeded.get(key) === undefined) yield this.#own[place] as R
  }

  /** How many there are. */
  get size(): number {
    let added = 0
    for (const key of this.#places.keys()) if (this.#seeded.get(key) === undefined) added++
    return this.#seeded.records.length + added
  }

  #isChanged(record: R): boolean {
    return this.#own.length > 0 && this.#places.has(this.#definition.key(record))
  }

  /** Where the own records are that an index holds under a value; the index is made when it is first asked. */
  #placesOf(name: string, value: string): Iterable<number> {
    let index = this.#indexes.get(name)
    if (index === undefined) {
      index = new Index(this.#definition.indexes[name] as (record: R) => string | undefined)
      for (const [place, record] of this.#own.entries()) index.move(place, undefined, record)
      this.#indexes.set(name, index)
    }
    return index.places(value)
  }
}

/** The places of records by what they have in common. */
class Index<R> {
  readonly #by: (record: R) => string | undefined
  readonly #places = new Map<string, Set<number>>()

  constructor(by: (record: R) => string | undefined) {
    this.#by = by
  }

  places(value: string): Iterable<number> {
    return this.#places.get(value) ?? []
  }

  /** Lists a place under what its record is now, where that is not what it was. */
  move(place: number, before: R | undefined, now: R): void {
    const old = before && this.#by(before)
    const value = this.#by(now)
    if (old === value) return
    if (old !== undefined) this.#places.get(old)?.delete(place)
    if (value === undefined) return
    const places = this.#places.get(value)
    if (places === undefined) this.#places.set(value, new Set([place]))
    else places.add(place)
  }
}
