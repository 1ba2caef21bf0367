import { deepFreeze } from '../../../schemas/freeze.js'
import type { CollectionDefinition } from './collections.js'

/** Records by their keys; those of a world lie over those of the fixtures, which all worlds share. */
export class Collection<R extends object> {
  readonly #definition: CollectionDefinition<R>
  /** Its own records: those that were added, and those that take the place of one below. */
  readonly #own: R[]
  readonly #below: Collection<R> | undefined
  readonly #onPut: () => void
  #places: Map<string, number> | undefined

  /** `own` is filled in place, since it is what is stored; `onPut` is called after each change. */
  constructor(definition: CollectionDefinition<R>, own: R[], below?: Collection<R>, onPut: () => void = () => {}) {
    this.#definition = definition
    this.#own = own
    this.#below = below
    this.#onPut = onPut
  }

  get(key: string): R | undefined {
    const place = this.#placeOf(key)
    return place === undefined ? this.#below?.get(key) : this.#own[place]
  }

  /** The records that have a value in common. */
  find(lookUp: string, value: string): readonly R[] {
    return [...this.#matching(lookUp, value)]
  }

  /** The first that `find` finds. */
  first(lookUp: string, value: string): R | undefined {
    for (const record of this.#matching(lookUp, value)) return record
    return undefined
  }

  /** Adds a record, or replaces the one with the same key. */
  put(record: R): R {
    const frozen = deepFreeze(record)
    const key = this.#definition.key(frozen)
    const place = this.#placeOf(key) ?? this.#own.length
    this.#own[place] = frozen
    this.#places?.set(key, place)
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

  *#matching(lookUp: string, value: string): Generator<R> {
    const by = this.#definition.lookUps[lookUp] as (record: R) => string | undefined
    for (const record of this.all()) if (by(record) === value) yield record
  }

  #isAdded(record: R): boolean {
    return this.#below?.get(this.#definition.key(record)) === undefined
  }

  /** What has taken the place of a record below. */
  #changedFrom(record: R): R | undefined {
    const place = this.#own.length === 0 ? undefined : this.#placeOf(this.#definition.key(record))
    return place === undefined ? undefined : this.#own[place]
  }

  /** Where the own record of a key is; of fixtures, nobody may ever ask for a key. */
  #placeOf(key: string): number | undefined {
    this.#places ??= new Map(this.#own.map((record, place) => [this.#definition.key(record), place]))
    return this.#places.get(key)
  }
}
