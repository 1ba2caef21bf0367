/** Bytes that all look-ups may take, roughly; the one that was used last stays however large it is. */
const MOST_BYTES = 128 * 1024 * 1024
/** What keeping even the smallest costs. */
const LEAST_BYTES = 200

interface Kept {
  readonly value: object
  readonly bytes: number
}

/** What is made of whole collections and asked for again, by all worlds of a server: those that were used last. */
export class Lookups {
  /** In the order of their use, the one that was unused the longest first. */
  readonly #kept = new Map<string, Kept>()
  readonly #ids = new WeakMap<object, number>()
  #lastId = 0
  #bytes = 0

  /**
   * `versions` stand for the collections as they are: after a change they are others. `weigh` tells the bytes of what is
   * made, roughly.
   */
  get<T extends object>(versions: readonly object[], name: string, make: () => T, weigh: (made: T) => number): T {
    const key = `${versions.map((version) => this.#idOf(version)).join(' ')} ${name}`
    const known = this.#kept.get(key)
    const value = (known?.value as T | undefined) ?? make()
    const kept = known ?? { value, bytes: LEAST_BYTES + 2 * key.length + weigh(value) }
    // The order of the map is the order of use.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    if (known === undefined) this.#bytes += kept.bytes
    this.#evict()
    return value
  }

  #idOf(version: object): number {
    const id = this.#ids.get(version) ?? ++this.#lastId
    this.#ids.set(version, id)
    return id
  }

  #evict(): void {
    for (const [key, { bytes }] of this.#kept) {
      if (this.#bytes <= MOST_BYTES || this.#kept.size === 1) return
      this.#kept.delete(key)
      this.#bytes -= bytes
    }
  }
}
