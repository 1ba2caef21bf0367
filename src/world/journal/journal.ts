import type { AllJournals } from './all-journals.js'
import { type Completed, type Exchange, keepExchange } from './exchange.js'
import { countOutcome, type OutcomeCounts } from './outcome-counts.js'

/** An exchange that began. */
export interface Begun {
  readonly id: string
  /** How often the journal had been reset. */
  readonly resets: number
}

/** The last exchanges of a world, and how often each outcome was met. */
export class Journal {
  readonly #size: number
  readonly #all: AllJournals
  readonly #isToken: (text: string) => boolean
  #exchanges: Exchange[] = []
  #begun = 0
  #lastBegun: number | undefined
  #outcomes: OutcomeCounts = {}
  readonly #listeners = new Set<(exchange: Exchange) => void>()
  #notes: string[] = []
  #revision = 0
  #resets = 0

  /** `size`: how many exchanges are kept; `all` bounds them with others; `isToken` tells what is never shown. */
  constructor(size: number, all: AllJournals, isToken: (text: string) => boolean) {
    this.#size = size
    this.#all = all
    this.#isToken = isToken
  }

  /** Begins an exchange. */
  begin(): Begun {
    this.#begun++
    this.#lastBegun = Date.now()
    return { id: `x${this.#begun}`, resets: this.#resets }
  }

  /** Enters an exchange whose answer is about to leave; one that began before a reset is no longer of this journal. */
  add(completed: Completed, { resets }: Pick<Begun, 'resets'>): void {
    const exchange = keepExchange(completed, this.#isToken)
    if (resets === this.#resets) this.#enter(exchange)
    for (const listener of this.#listeners) listener(exchange)
  }

  #enter(exchange: Exchange): void {
    if (this.#exchanges.length === this.#size) this.forgetOldest()
    this.#exchanges.push(exchange)
    this.#all.add(this)
    const { declaredOutcome, cause } = exchange
    if (declaredOutcome !== null) countOutcome(this.#outcomes, declaredOutcome, cause)
  }

  get isEmpty(): boolean {
    return this.#exchanges.length === 0
  }

  forgetOldest(): void {
    this.#exchanges.shift()
    this.#all.remove(this, 1)
  }

  /** Newest first. */
  exchanges(): Exchange[] {
    return this.#exchanges.toReversed()
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

  /** The exchanges that ever began, those that went included. */
  get total(): number {
    return this.#begun
  }

  /** When the last request came, by the machine's clock in milliseconds since 1970; undefined before the first. */
  get lastBegun(): number | undefined {
    return this.#lastBegun
  }

  /** Grows each time that exchanges are cleared away. */
  get revision(): number {
    return this.#revision
  }

  /** Forgets the exchanges; what was covered stays covered. */
  clear(): void {
    this.#revision++
    const { length } = this.#exchanges
    this.#exchanges = []
    this.#all.remove(this, length)
  }

  /** As new. */
  reset(): void {
    this.clear()
    this.#resets++
    this.#begun = 0
    this.#outcomes = {}
    this.#notes = []
  }
}
