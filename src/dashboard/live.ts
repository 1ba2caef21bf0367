import type { ExchangeSummary } from '../world/journal/summary.js'
import { callText } from './api.js'

/** What may have changed on the server. */
export type Topic = 'exchanges' | 'scenarios' | 'mail' | 'state' | 'clock' | 'worlds' | 'journal'
export type Connection = 'connecting' | 'live' | 'lost'

/** What listeners are told. */
export interface News {
  readonly connection: Connection
  /** True after each connection: whatever is shown may be out of date. */
  readonly all: boolean
  readonly topics: ReadonlySet<Topic>
  /** Those that ended since the last news, newest first. */
  readonly exchanges: readonly ExchangeSummary[]
}
type Listener = (news: News) => void

/** Milliseconds in which exchanges are gathered before listeners are told. */
const BATCH = 250
/** Milliseconds before the next attempt to connect. */
const RETRY = 1_000
/** Exchanges that are kept. */
export const MOST_EXCHANGES = 1_000

/** The server's events. A hidden page does not listen: browsers open few connections to one host. */
export class Live {
  readonly #url: string
  readonly #listeners = new Set<Listener>()
  #connection: Connection = 'connecting'
  #source: EventSource | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #batch: ReturnType<typeof setTimeout> | undefined
  #exchanges: ExchangeSummary[] = []

  constructor(url: string) {
    this.#url = url
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#close() : this.#open()))
    this.#open()
  }

  get connection(): Connection {
    return this.#connection
  }

  /** Returns what ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #open(): void {
    if (document.hidden || this.#source !== undefined) return
    clearTimeout(this.#retry)
    const source = new EventSource(this.#url)
    this.#source = source
    source.addEventListener('open', () => {
      this.#connection = 'live'
      this.#tell({ all: true })
    })
    source.addEventListener('error', () => {
      this.#close()
      this.#connection = 'lost'
      this.#retry = setTimeout(() => this.#open(), RETRY)
      this.#tell({})
      // Why it failed, EventSource does not say; a call finds out whether somebody has to sign in.
      callText('clock').catch(() => {})
    })
    source.addEventListener('exchange', ({ data }) => {
      this.#exchanges.unshift(JSON.parse(data))
      if (this.#exchanges.length > MOST_EXCHANGES) this.#exchanges.pop()
      this.#batch ??= setTimeout(() => this.#tellExchanges(), BATCH)
    })
    source.addEventListener('change', ({ data }) => this.#tell({ topics: new Set(JSON.parse(data).what) }))
  }

  #close(): void {
    this.#source?.close()
    this.#source = undefined
    clearTimeout(this.#retry)
    clearTimeout(this.#batch)
    this.#batch = undefined
    this.#exchanges = []
  }

  #tellExchanges(): void {
    const exchanges = this.#exchanges
    this.#exchanges = []
    this.#batch = undefined
    this.#tell({ exchanges, topics: new Set(['exchanges']) })
  }

  #tell(news: Partial<News>): void {
    const whole = { connection: this.#connection, all: false, topics: NOTHING, exchanges: [], ...news }
    for (const listener of [...this.#listeners]) listener(whole)
  }
}

const NOTHING: ReadonlySet<Topic> = new Set()
