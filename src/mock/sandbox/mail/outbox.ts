export interface Mail {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The URLs of the buttons in the mail. */
  readonly links: { readonly accept: string; readonly decline: string }
}

/** The delivery of a mail: `kept` if no SMTP server is set. */
export interface Delivery {
  readonly status: 'kept' | 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly error?: string
}

export interface Message extends Mail {
  readonly id: string
  readonly created_at: string
  readonly delivery: Delivery
}

const MOST_MESSAGES = 1_000
/** The milliseconds that a call may wait for a mail. */
export const LONGEST_WAIT = 120_000

export class Outbox {
  readonly #box = new Map<string, Message>()
  readonly #waiting = new Set<() => void>()
  onMessage: ((message: Message) => void) | undefined
  /** Grows with each mail that comes, goes or is delivered. */
  revision = 0

  add({ id, to, from, subject, text, html, links, created_at }: Omit<Message, 'delivery'>): void {
    const delivery: Delivery = { status: 'kept', attempts: 0 }
    const message = { id, to, from, subject, text, html, links, created_at, delivery }
    this.#box.set(id, message)
    this.revision++
    const [oldest] = this.#box.keys()
    if (this.#box.size > MOST_MESSAGES) this.#box.delete(oldest as string)
    this.onMessage?.(message)
    for (const look of [...this.#waiting]) look()
  }

  delivered(id: string, delivery: Delivery): void {
    const kept = this.#box.get(id)
    if (kept !== undefined) this.#box.set(id, { ...kept, delivery })
    this.revision++
  }

  /** The mails to an address (in any letter case), or all. */
  messages(to?: string): readonly Message[] {
    const address = to?.toLowerCase()
    return [...this.#box.values()].filter((one) => address === undefined || one.to.toLowerCase() === address)
  }

  /** Resolves with the mails to an address as soon as there is one, or with none after `ms` milliseconds. */
  wait(to: string | undefined, ms: number, signal?: AbortSignal): Promise<readonly Message[]> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        signal?.removeEventListener('abort', end)
        resolve(this.messages(to))
      }
      const look = () => {
        if (this.messages(to).length > 0) end()
      }
      const timer = setTimeout(end, ms)
      this.#waiting.add(look)
      signal?.addEventListener('abort', end)
      look()
    })
  }

  remove(id: string): void {
    this.#box.delete(id)
    this.revision++
  }

  clear(): void {
    this.#box.clear()
    this.revision++
  }
}
