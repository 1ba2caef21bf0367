/** Something that keeps exchanges or mails, and can forget old ones. */
export interface Keeper {
  /** Forgets the older half of what it keeps, and returns the bytes that this frees; 0 where nothing can go. */
  forgetOlder(): number
}

/** What the worlds of one server may keep together. */
export interface Budgets {
  readonly exchanges: SharedBudget
  readonly mails: SharedBudget
  readonly scenarios: Quota
}

const MEGABYTE = 1024 * 1024

/** Bytes, as far as they can be estimated. All mails of a world must fit into one answer, however they are escaped. */
export function newBudgets(): Budgets {
  return {
    exchanges: new SharedBudget(96 * MEGABYTE),
    mails: new SharedBudget(64 * MEGABYTE),
    scenarios: new Quota(128 * MEGABYTE),
  }
}

/** Limits what all worlds together keep of data that must not be dropped: what does not fit is refused. */
export class Quota {
  #left: number

  /** `most`: in bytes. */
  constructor(most: number) {
    this.#left = most
  }

  /** Takes so many bytes, or none where they are not left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  /** Bytes that can still be taken. */
  get left(): number {
    return this.#left
  }

  refund(bytes: number): void {
    this.#left += bytes
  }
}

/** Bounds what all worlds keep together of one kind: the world that was idle the longest forgets first. */
export class SharedBudget {
  /** The one that was idle the longest first. */
  readonly #keepers = new Set<Keeper>()
  readonly #most: number
  #latest: Keeper | undefined
  #bytes = 0

  /** `most`: in bytes. */
  constructor(most: number) {
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
