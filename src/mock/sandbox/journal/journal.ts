import { type Completed, type Exchange, keepExchange } from './exchange.js'

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
  readonly #isToken: (text: string) => boolean
  readonly #exchanges = new Set<Exchange>()
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  #resets = 0
  outcomes: OutcomeCounts = {}
  /** The number of exchanges that began since the last reset. */
  total = 0
  /** When the last request came, by the machine's clock in milliseconds since 1970; undefined before the first. */
  lastBegun: number | undefined
  /** Grows each time that exchanges are cleared away. */
  revision = 0

  /** Keeps `size` exchanges; texts for which `isToken` holds are never shown. */
  constructor(size: number, all: AllExchanges, isToken: (text: string) => boolean) {
    this.#size = size
    this.#all = all
    this.#isToken = isToken
  }

  begin(): Begun {
    this.total++
    this.lastBegun = Date.now()
    return { id: `x${this.total}`, resets: this.#resets }
  }

  /** Enters an exchange as its answer leaves, unless it began before a reset. */
  add(completed: Completed, { resets }: Pick<Begun, 'resets'>): void {
    const exchange = keepExchange(completed, this.#isToken)
    if (resets === this.#resets) this.#enter(exchange)
    for (const listener of this.#listeners) listener(exchange)
  }

  #enter(exchange: Exchange): void {
    this.#exchanges.add(exchange)
    this.#all.set(exchange, this)
    const [oldest] = this.#exchanges
    if (this.#exchanges.size > this.#size) this.#forget(oldest as Exchange)
    const [first] = this.#all
    if (first !== undefined && this.#all.size > MOST_EXCHANGES) first[1].#forget(first[0])
    const { declaredOutcome, cause } = exchange
    if (declaredOutcome !== null) countOutcome(this.outcomes, declaredOutcome, cause)
  }

  #forget(exchange: Exchange): void {
    this.#exchanges.delete(exchange)
    this.#all.delete(exchange)
  }

  exchanges(): Exchange[] {
    return [...this.#exchanges].reverse()
  }

  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  clear(): void {
    this.revision++
    for (const exchange of this.#exchanges) this.#forget(exchange)
  }

  reset(): void {
    this.clear()
    this.#resets++
    this.total = 0
    this.outcomes = {}
  }
}

/** By outcome id, how often it was met, and by which causes. */
export type OutcomeCounts = Record<string, { count: number; readonly causes: Record<string, number> }>

export function countOutcome(counts: OutcomeCounts, outcome: string, cause: string, times = 1): void {
  counts[outcome] ??= { count: 0, causes: {} }
  const { causes } = counts[outcome]
  counts[outcome].count += times
  causes[cause] = (causes[cause] ?? 0) + times
}

export function addOutcomeCounts(sum: OutcomeCounts, counts: Readonly<OutcomeCounts>): void {
  for (const [outcome, { causes }] of Object.entries(counts))
    for (const [cause, times] of Object.entries(causes)) countOutcome(sum, outcome, cause, times)
}
