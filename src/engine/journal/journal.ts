import type { Exchange } from './exchange.js'

/** Exchanges in the journals of all sandboxes; the oldest goes first. */
const MOST_EXCHANGES = 20_000

export type AllExchanges = Map<Exchange, Journal>

/** A request that came and is not answered yet. */
export interface PendingExchange {
  readonly id: string
  /** Bytes of the body that have arrived. */
  received: number
  /** When it came, as `performance.now()` counts. */
  readonly started: number
  /** The exchange as far as it is known. */
  snapshot(): Exchange
}

export class Journal {
  readonly #exchanges = new Set<Exchange>()
  /** Those of before the last reset are none of this journal's. */
  readonly #pending = new Set<PendingExchange>()
  /** The number of exchanges that began since the last reset. */
  total = 0
  /** When the last request came, by the machine's clock in milliseconds since 1970; undefined before the first. */
  lastBegun: number | undefined

  /** Keeps `size` exchanges. `changed` is called when some are cleared away. */
  constructor(
    private readonly size: number,
    private readonly all: AllExchanges,
    private readonly changed: () => void,
  ) {}

  nextId(): string {
    this.total++
    this.lastBegun = Date.now()
    return `x${this.total}`
  }

  begin(pending: PendingExchange): void {
    this.#pending.add(pending)
  }

  /** False if the sandbox was reset in the meantime. */
  end(pending: PendingExchange): boolean {
    return this.#pending.delete(pending)
  }

  /** The newest first. */
  pending(): PendingExchange[] {
    return [...this.#pending].reverse()
  }

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange)
    this.all.set(exchange, this)
    const [oldest] = this.#exchanges
    if (this.#exchanges.size > this.size) this.#forget(oldest as Exchange)
    const [first] = this.all
    if (first !== undefined && this.all.size > MOST_EXCHANGES) first[1].#forget(first[0])
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
    this.changed()
  }

  reset(): void {
    this.clear()
    this.#pending.clear()
    this.total = 0
  }
}
