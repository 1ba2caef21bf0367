import type { Exchange } from './exchange.js'

/** Exchanges in the journals of all sandboxes; the oldest goes first. */
const MOST_EXCHANGES = 20_000

export type AllExchanges = Map<Exchange, Journal>

export interface Begun {
  readonly id: string
  readonly resets: number
}

export class Journal {
  readonly #size: number
  readonly #all: AllExchanges
  readonly #changed: () => void
  readonly #exchanges = new Set<Exchange>()
  #resets = 0
  /** The number of exchanges that began since the last reset. */
  total = 0
  /** When the last request came, by the machine's clock in milliseconds since 1970; undefined before the first. */
  lastBegun: number | undefined

  /** Keeps `size` exchanges. `changed` is called when some are cleared away. */
  constructor(size: number, all: AllExchanges, changed: () => void) {
    this.#size = size
    this.#all = all
    this.#changed = changed
  }

  begin(): Begun {
    this.total++
    this.lastBegun = Date.now()
    return { id: `x${this.total}`, resets: this.#resets }
  }

  isPast({ resets }: Begun): boolean {
    return resets !== this.#resets
  }

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange)
    this.#all.set(exchange, this)
    const [oldest] = this.#exchanges
    if (this.#exchanges.size > this.#size) this.#forget(oldest as Exchange)
    const [first] = this.#all
    if (first !== undefined && this.#all.size > MOST_EXCHANGES) first[1].#forget(first[0])
  }

  #forget(exchange: Exchange): void {
    this.#exchanges.delete(exchange)
    this.#all.delete(exchange)
  }

  exchanges(): Exchange[] {
    return [...this.#exchanges].reverse()
  }

  clear(): void {
    for (const exchange of this.#exchanges) this.#forget(exchange)
    this.#changed()
  }

  reset(): void {
    this.clear()
    this.#resets++
    this.total = 0
  }
}
