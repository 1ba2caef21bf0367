/** Bytes that all views of some fixtures may take, roughly. */
const MOST_BYTES = 32 * 1024 * 1024
/** A larger view is made anew each time. */
const LARGEST = MOST_BYTES / 4

interface Entry {
  readonly value: object
  readonly bytes: number
}

/** What is derived from fixtures and asked for again: the views that were used last, as far as they fit. */
export class Views {
  /** In the order of their use, the one that was unused the longest first. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  /** The view of a name; `weigh` tells its bytes, roughly. */
  get<T extends object>(name: string, derive: () => T, weigh: (view: T) => number): T {
    const known = this.#entries.get(name)
    if (known !== undefined) {
      if (this.#isFull) this.#renew(name, known)
      return known.value as T
    }
    const value = derive()
    const bytes = weigh(value) + 2 * name.length
    if (bytes <= LARGEST) {
      this.#entries.set(name, { value, bytes })
      this.#bytes += bytes
      this.#evict()
    }
    return value
  }

  /** Only where something may have to go does the order of use matter. */
  get #isFull(): boolean {
    return this.#bytes > MOST_BYTES / 2
  }

  #renew(name: string, entry: Entry): void {
    this.#entries.delete(name)
    this.#entries.set(name, entry)
  }

  #evict(): void {
    for (const [name, { bytes }] of this.#entries) {
      if (this.#bytes <= MOST_BYTES) return
      this.#entries.delete(name)
      this.#bytes -= bytes
    }
  }
}
