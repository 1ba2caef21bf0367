/** A journal, as far as it is bounded together with others. */
interface Bounded {
  readonly isEmpty: boolean
  forgetOldest(): void
}

/** Exchanges that the journals of all worlds keep together. */
const MOST_EXCHANGES = 20_000

/** Bounds what all journals keep together: the one that was idle the longest forgets first. */
export class AllJournals {
  /** Those that keep something; the one that was idle the longest first. */
  readonly #journals = new Set<Bounded>()
  readonly #most: number
  #count = 0

  constructor(most = MOST_EXCHANGES) {
    this.#most = most
  }

  /** Takes note that a journal keeps one more. */
  add(journal: Bounded): void {
    this.#journals.delete(journal)
    this.#journals.add(journal)
    this.#count++
    const [idlest] = this.#journals
    if (this.#count > this.#most) idlest?.forgetOldest()
  }

  /** Takes note of how many a journal has forgotten. */
  remove(journal: Bounded, count: number): void {
    this.#count -= count
    if (journal.isEmpty) this.#journals.delete(journal)
  }
}
