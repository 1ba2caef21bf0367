import { callText } from './api.js'

/** What may have changed on the server. */
export type Topic = 'exchanges' | 'scenarios' | 'mail' | 'state' | 'clock' | 'worlds' | 'journal'
export type Connection = 'connecting' | 'live' | 'lost'

/** What changed; all of it after each connection, since whatever is shown may be out of date. */
type Listener = (changed: ReadonlySet<Topic> | 'all') => void

/** Milliseconds before the next attempt to connect. */
const RETRY = 1_000

/** The server's events. A hidden page does not listen: browsers open few connections to one host. */
export class Live {
  readonly #url: string
  readonly #listeners = new Set<Listener>()
  #connection: Connection = 'connecting'
  #source: EventSource | undefined
  #retry: ReturnType<typeof setTimeout> | undefined

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
      this.#tell('all')
    })
    source.addEventListener('error', () => {
      this.#close()
      this.#connection = 'lost'
      this.#retry = setTimeout(() => this.#open(), RETRY)
      this.#tell(new Set())
      // EventSource does not say why it failed; a call finds out whether somebody has to sign in.
      callText('clock').catch(() => {})
    })
    source.addEventListener('exchange', () => this.#tell(new Set(['exchanges'])))
    source.addEventListener('change', ({ data }) => this.#tell(new Set(JSON.parse(data).what)))
  }

  #close(): void {
    this.#source?.close()
    this.#source = undefined
    clearTimeout(this.#retry)
  }

  #tell(changed: ReadonlySet<Topic> | 'all'): void {
    for (const listener of [...this.#listeners]) listener(changed)
  }
}
