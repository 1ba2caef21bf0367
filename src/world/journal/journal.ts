import type { Exchange } from './exchange.js'

/** How often an outcome was met, and by which causes. */
export interface Tally {
  count: number
  readonly causes: Map<string, number>
}

/** The last exchanges of a world, and how often each outcome was met. */
export class Journal {
  readonly #size: number
  #exchanges: Exchange[] = []
  #opened = 0
  readonly #tallies = new Map<string, Tally>()
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  #notes: string[] = []

  /** `size`: the exchanges kept; the oldest goes first. */
  constructor(size: number) {
    this.#size = size
  }

  /** Takes an exchange in and names it. */
  open(exchange: Exchange): string {
    // A ring that is cut once it has doubled costs less than a shift per request.
    if (this.#exchanges.length >= 2 * this.#size) this.#exchanges = this.#exchanges.slice(-this.#size)
    this.#exchanges.push(exchange)
    this.#opened++
    return `x${this.#opened}`
  }

  close(exchange: Exchange): void {
    const { outcome, cause } = exchange
    if (outcome !== null) {
      let tally = this.#tallies.get(outcome)
      if (tally === undefined) {
        tally = { count: 0, causes: new Map() }
        this.#tallies.set(outcome, tally)
      }
      tally.count++
      tally.causes.set(cause, (tally.causes.get(cause) ?? 0) + 1)
    }
    for (const listener of this.#listeners) listener(exchange)
  }

  /** Newest first. */
  exchanges(): Exchange[] {
    return this.#exchanges.slice(-this.#size).reverse()
  }

  get tallies(): ReadonlyMap<string, Tally> {
    return this.#tallies
  }

  /** What happened to the server itself. */
  get notes(): readonly string[] {
    return this.#notes
  }

  note(text: string): void {
    this.#notes = [...this.#notes, text].slice(-this.#size)
  }

  /** Calls back with each exchange that ends, until the returned function is called. */
  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The exchanges ever opened, those that went included. */
  get total(): number {
    return this.#opened
  }

  /** Forgets the exchanges; what was covered stays covered. */
  clear(): void {
    this.#exchanges = []
  }

  /** As new. */
  reset(): void {
    this.#exchanges = []
    this.#opened = 0
    this.#tallies.clear()
    this.#notes = []
  }
}
