import { deepFreeze } from '../../../schemas/freeze.js'
import type { CollectionDefinition } from './collections.js'

/** Records by their keys and indexes; those of a world lie over those of the fixtures, which all worlds share. */
export class Collection<R extends object> {
  readonly #definition: CollectionDefinition<R>
  /** Its own records: those that were added, and those that take the place of one below. */
  readonly #own: R[]
  readonly #below: Collection<R> | undefined
  readonly #onPut: () => void
  readonly #indexes = new Map<string, Index<R>>()
  #places: Map<string, number> | undefined
  #version: object

  /** `own` is filled in place, since it is what is stored; `onPut` is called after each change. */
  constructor(definition: CollectionDefinition<R>, own: R[], below?: Collection<R>, onPut: () => void = () => {}) {
    this.#definition = definition
    this.#own = own
    this.#below = below
    this.#onPut = onPut
    this.#version = below !== undefined && own.length === 0 ? below.version : {}
  }

  /** Stands for the records as they are; where nothing has changed, it is that of the fixtures. */
  get version(): object {
    return this.#version
  }

  get(key: string): R | undefined {
    const place = this.#placeOf(key)
    return place === undefined ? this.#below?.get(key) : this.#own[place]
  }

  /** The records that an index holds under a value: the unchanged ones below first. */
  find(index: string, value: string): readonly R[] {
    return [...this.#matching(index, value)]
  }

  /** The first that `find` finds. */
  first(index: string, value: string): R | undefined {
    for (const record of this.#matching(index, value)) return record
    return undefined
  }

  /** Adds a record, or replaces the one with the same key. */
  put(record: R): R {
    const frozen = deepFreeze(record)
    const key = this.#definition.key(frozen)
    const place = this.#placeOf(key) ?? this.#own.length
    for (const index of this.#indexes.values()) index.move(place, this.#own[place], frozen)
    this.#own[place] = frozen
    this.#places?.set(key, place)
    this.#version = {}
    this.#onPut()
    return frozen
  }

  /** Every record: those below in their order, replaced where changed, then those that were added. */
  *all(): Generator<R> {
    if (this.#below === undefined) return yield* this.#own
    for (const record of this.#below.all()) yield this.#changedFrom(record) ?? record
    for (const record of this.#own) if (this.#isAdded(record)) yield record
  }

  /** How many there are. */
  get size(): number {
    if (this.#below === undefined) return this.#own.length
    return this.#below.size + this.#own.filter((record) => this.#isAdded(record)).length
  }

  *#matching(index: string, value: string): Generator<R> {
    if (this.#below !== undefined) {
      for (const record of this.#below.#matching(index, value)) {
        if (this.#changedFrom(record) === undefined) yield record
      }
    }
    for (const place of this.#indexOf(index).places(value)) yield this.#own[place] as R
  }

  #isAdded(record: R): boolean {
    return this.#below?.get(this.#definition.key(record)) === undefined
  }

  /** What has taken the place of a record below. */
  #changedFrom(record: R): R | undefined {
    const place = this.#own.length === 0 ? undefined : this.#placeOf(this.#definition.key(record))
    return place === undefined ? undefined : this.#own[place]
  }

  /** Where the own record of a key is; fixtures may have a million, whose keys nobody asks for. */
  #placeOf(key: string): number | undefined {
    this.#places ??= new Map(this.#own.map((record, place) => [this.#definition.key(record), place]))
    return this.#places.get(key)
  }

  /** The own records by what an index says of them; it is made when it is first asked. */
  #indexOf(name: string): Index<R> {
    let index = this.#indexes.get(name)
    if (index === undefined) {
      index = new Index(this.#definition.indexes[name] as (record: R) => string | undefined)
      for (const [place, record] of this.#own.entries()) index.move(place, undefined, record)
      this.#indexes.set(name, index)
    }
    return index
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
