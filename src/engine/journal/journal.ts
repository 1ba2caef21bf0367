import type { Exchange } from './exchange.js'

const MAX_EXCHANGES = 20_000

/** The exchanges of all sandboxes, oldest first. */
export type AllExchanges = Map<Exchange, Journal>

export interface PendingExchange {
  readonly id: string
  isBeforeReset: boolean
  /** Bytes. */
  received: number
  /** The start, by `performance.now()`. */
  readonly started: number
  snapshot(): Exchange
  abort(): void
}

export function serialOf(id: string): number {
  return Number(id.slice(1))
}

export class Journal {
  readonly #exchanges = new Set<Exchange>()
  /** Excludes exchanges before the last reset. */
  readonly #pending = new Set<PendingExchange>()
  total = 0
  lastRequestAt: number | undefined

  constructor(
    private readonly capacity: number,
    private readonly all: AllExchanges,
    private readonly onClear: () => void,
  ) {}

  nextId(): string {
    this.total++
    this.lastRequestAt = Date.now()
    return `x${this.total}`
  }

  begin(pending: PendingExchange): void {
    this.#pending.add(pending)
  }

  end(pending: PendingExchange): void {
    this.#pending.delete(pending)
  }

  pending(): PendingExchange[] {
    return [...this.#pending].reverse()
  }

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange)
    this.all.set(exchange, this)
    const [oldest] = this.#exchanges
    if (this.#exchanges.size > this.capacity) this.#forget(oldest as Exchange)
    const [first] = this.all
    if (first !== undefined && this.all.size > MAX_EXCHANGES) first[1].#forget(first[0])
  }

  #forget(exchange: Exchange): void {
    this.#exchanges.delete(exchange)
    this.all.delete(exchange)
  }

  exchanges(): Exchange[] {
    return [...this.#exchanges].reverse()
  }

  clear(): void {
    for (const exchange of this.#exchanges) this.#forget(exchange)
    this.onClear()
  }

  reset(): void {
    this.clear()
    for (const one of this.#pending) one.isBeforeReset = true
    this.#pending.clear()
    this.total = 0
  }
}
