/** A list that takes up to so many items, and gives the oldest away first; neither moves any of the others. */
export class Ring<T> {
  readonly #size: number
  readonly #slots: (T | undefined)[] = []
  #first = 0
  #length = 0

  constructor(size: number) {
    this.#size = size
  }

  get length(): number {
    return this.#length
  }

  /** Adds an item; the ring must not be full. */
  push(item: T): void {
    this.#slots[(this.#first + this.#length) % this.#size] = item
    this.#length++
  }

  /** Takes the oldest item out; there must be one. */
  shift(): T {
    const oldest = this.#slots[this.#first] as T
    this.#slots[this.#first] = undefined
    this.#first = (this.#first + 1) % this.#size
    this.#length--
    return oldest
  }

  /** The oldest first. */
  all(): T[] {
    return Array.from({ length: this.#length }, (_, nth) => this.#slots[(this.#first + nth) % this.#size] as T)
  }
}
