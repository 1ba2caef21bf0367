import type { Clock } from '../clock.js'
import type { AllJournals } from './all-journals.js'
import { type Arrived, Exchange, type Sent } from './exchange.js'
import type { OutcomeCounts } from './outcome-counts.js'
import { Ring } from './ring.js'

/** The last exchanges of a world, and how often each outcome was met. */
export class Journal {
  readonly #sandbox: string | null
  readonly #clock: Clock
  readonly #size: number
  readonly #all: AllJournals
  readonly #isToken: (text: string) => boolean
  readonly #ring: Ring<Exchange>
  #opened = 0
  #lastOpened: number | undefined
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
    all: AllJournals,
    isToken: (text: string) => boolean = () => false,
  ) {
    this.#isToken = isToken
    this.#sandbox = sandbox
    this.#clock = clock
    this.#size = size
    this.#all = all
    this.#ring = new Ring(size)
  }

  /** Begins an exchange with a request that has arrived. */
  open(arrived: Arrived): Exchange {
    this.#opened++
    this.#lastOpened = Date.now()
    const exchange = new Exchange(
      `x${this.#opened}`,
      this.#sandbox,
      this.#clock.now(),
      arrived,
      this.#outcomes,
      this.#isToken,
    )
    // What goes is young, and never reaches the heap that only a full collection cleans.
    if (this.#ring.length === this.#size) this.#forget(1)
    this.#ring.push(exchange)
    this.#all.add(this)
    return exchange
  }

  /** Ends an exchange with what is about to be sent. */
  close(exchange: Exchange, status: number | null, sent: Sent): void {
    exchange.end(status, sent)
    for (const listener of this.#listeners) listener(exchange)
  }

  /** Newest first. */
  exchanges(): Exchange[] {
    return this.#ring.all().reverse()
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

  /** When the last request came, by the machine's clock in milliseconds since 1970; undefined before the first. */
  get lastOpened(): number | undefined {
    return this.#lastOpened
  }

  /** Grows each time that exchanges are cleared away. */
  get revision(): number {
    return this.#revision
  }

  /** Forgets the exchanges; what was covered stays covered. */
  clear(): void {
    this.#revision++
    this.#forget(this.#ring.length)
  }

  get isEmpty(): boolean {
    return this.#ring.length === 0
  }

  forgetOldest(): void {
    this.#forget(1)
  }

  #forget(count: number): void {
    for (let nth = 0; nth < count; nth++) this.#ring.shift()
    this.#all.remove(this, count)
  }

  /** As new. */
  reset(): void {
    this.clear()
    this.#opened = 0
    this.#outcomes = {}
    this.#notes = []
  }
}
