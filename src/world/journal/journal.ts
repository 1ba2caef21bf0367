import type { Budget, Keeper } from '../budget.js'
import type { Clock } from '../clock.js'
import { type Arrived, Exchange, type Sent } from './exchange.js'
import type { OutcomeCounts } from './outcome-counts.js'

/** The last exchanges of a world, and how often each outcome was met. */
export class Journal implements Keeper {
  readonly #sandbox: string | null
  readonly #clock: Clock
  readonly #size: number
  readonly #budget: Budget
  readonly #isToken: (text: string) => boolean
  #exchanges: Exchange[] = []
  #opened = 0
  #outcomes: OutcomeCounts = {}
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  #notes: string[] = []
  #revision = 0

  /**
   * `sandbox`: the world's name; `size`: the exchanges kept, the oldest of which goes first; `isToken` tells what is never
   * shown.
   */
  constructor(
    sandbox: string | null,
    clock: Clock,
    size: number,
    budget: Budget,
    isToken: (text: string) => boolean = () => false,
  ) {
    this.#isToken = isToken
    this.#sandbox = sandbox
    this.#clock = clock
    this.#size = size
    this.#budget = budget
  }

  /** Begins an exchange with a request that has arrived. */
  open(arrived: Arrived): Exchange {
    this.#opened++
    const exchange = new Exchange(
      `x${this.#opened}`,
      this.#sandbox,
      this.#clock.now(),
      arrived,
      this.#outcomes,
      this.#isToken,
    )
    // A ring that is cut once it has doubled costs less than a shift per request.
    if (this.#exchanges.length >= 2 * this.#size) this.#forget(this.#exchanges.length - this.#size)
    this.#exchanges.push(exchange)
    return exchange
  }

  /** Ends an exchange with what is about to be sent. */
  close(exchange: Exchange, status: number | null, sent: Sent): void {
    exchange.end(status, sent)
    if (!exchange.forgotten) this.#budget.add(this, exchange.size)
    for (const listener of this.#listeners) listener(exchange)
  }

  /** Newest first. */
  exchanges(): Exchange[] {
    return this.#exchanges.slice(-this.#size).reverse()
  }

  /** How often each outcome was met since the world began. */
  get outcomes(): Readonly<OutcomeCounts> {
    return this.#outcomes
  }

  /** Notes about the server itself. */
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

  /** Grows each time that exchanges are cleared away or brought back. */
  get revision(): number {
    return this.#revision
  }

  /** Forgets the exchanges; what was covered stays covered. */
  clear(): void {
    this.#revision++
    this.#forget(this.#exchanges.length)
  }

  forgetOlder(): number {
    return this.#remove(Math.ceil(this.#exchanges.length / 2))
  }

  /** Forgets everything, when the world is deleted. */
  end(): void {
    this.clear()
    this.#budget.remove(this)
  }

  #forget(count: number): void {
    this.#budget.add(this, -this.#remove(count))
  }

  /** Removes the oldest exchanges, and returns the bytes that they kept. */
  #remove(count: number): number {
    const removed = this.#exchanges.slice(0, count)
    this.#exchanges = this.#exchanges.slice(count)
    for (const exchange of removed) exchange.forgotten = true
    return removed.reduce((sum, { size }) => sum + size, 0)
  }

  /** As new; the function that it returns undoes that. */
  reset(): () => void {
    const before = { exchanges: this.#exchanges, opened: this.#opened, outcomes: this.#outcomes, notes: this.#notes }
    this.clear()
    this.#opened = 0
    this.#outcomes = {}
    this.#notes = []
    return () => {
      this.#bringBack(before.exchanges)
      this.#opened = before.opened + this.#opened
      this.#outcomes = before.outcomes
      this.#notes = [...before.notes, ...this.#notes]
    }
  }

  /** Those that are under way count when they end, as ever. */
  #bringBack(exchanges: readonly Exchange[]): void {
    this.#revision++
    for (const exchange of exchanges) exchange.forgotten = false
    this.#exchanges = [...exchanges, ...this.#exchanges]
    this.#budget.add(
      this,
      exchanges.reduce((sum, { size }) => sum + size, 0),
    )
  }
}
