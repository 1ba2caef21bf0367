/** Something that keeps exchanges, and can forget old ones. */
export interface Keeper {
  /** Forgets the older half of what it keeps, and returns the bytes that this frees; 0 where nothing can go. */
  forgetOlder(): number
}

/** Bytes that the journals of all worlds may keep together, as far as that can be estimated. */
const MOST_BYTES = 96 * 1024 * 1024

/** Bounds what the journals of all worlds keep together: the world that was idle the longest forgets first. */
export class JournalBudget {
  /** The one that was idle the longest first. */
  readonly #keepers = new Set<Keeper>()
  readonly #most: number
  #latest: Keeper | undefined
  #bytes = 0

  constructor(most = MOST_BYTES) {
    this.#most = most
  }

  /** Bytes that are kept in all. */
  get bytes(): number {
    return this.#bytes
  }

  /** Takes note of what a keeper keeps in addition; negative where it has forgotten something. */
  add(keeper: Keeper, bytes: number): void {
    if (keeper !== this.#latest) {
      this.#keepers.delete(keeper)
      this.#keepers.add(keeper)
      this.#latest = keeper
    }
    this.#bytes += bytes
    if (this.#bytes > this.#most) this.#free()
  }

  /** Takes a keeper out that keeps nothing any more. */
  remove(keeper: Keeper): void {
    this.#keepers.delete(keeper)
    if (this.#latest === keeper) this.#latest = undefined
  }

  /** Down to nine tenths, so that not every request has to. */
  #free(): void {
    for (const keeper of this.#keepers) {
      for (let freed = 1; freed > 0 && this.#bytes > this.#most * 0.9; ) {
        freed = keeper.forgetOlder()
        this.#bytes -= freed
      }
    }
  }
}
