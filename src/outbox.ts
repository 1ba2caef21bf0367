/** A mail as it is written. */
export interface Mail {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Where the buttons of the mail lead. */
  readonly links: { readonly accept: string; readonly decline: string }
}

/** How a mail fared on its way: `kept` where no SMTP server is set. */
export interface Delivery {
  readonly status: 'kept' | 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly error?: string
}

/** A mail in the outbox. */
export interface Message extends Mail {
  readonly id: string
  readonly created_at: string
  readonly delivery: Delivery
}

/** Mails kept per world; the oldest goes first. */
const MOST_MESSAGES = 1_000
const KEPT: Delivery = { status: 'kept', attempts: 0 }

/** The mails a world has sent, oldest first. */
export class Outbox {
  #messages: Message[] = []
  readonly #waiting = new Set<() => void>()
  /** Called with each new mail; what takes it to an SMTP server. */
  onMessage: ((message: Message) => void) | undefined

  add(mail: Omit<Message, 'delivery'>): void {
    const message = { ...mail, delivery: KEPT }
    this.#messages.push(message)
    if (this.#messages.length > MOST_MESSAGES) this.#messages.shift()
    this.onMessage?.(message)
    for (const look of [...this.#waiting]) look()
  }

  /** Notes how a mail's delivery went; a mail that has been deleted since is left alone. */
  delivered(id: string, delivery: Delivery): void {
    this.#messages = this.#messages.map((message) => (message.id === id ? { ...message, delivery } : message))
  }

  /** The mails to an address (in any letter case), or all. */
  messages(to?: string): readonly Message[] {
    const address = to?.toLowerCase()
    return address === undefined ? this.#messages : this.#messages.filter((one) => one.to.toLowerCase() === address)
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

  remove(ids: ReadonlySet<string>): void {
    this.#messages = this.#messages.filter(({ id }) => !ids.has(id))
  }

  clear(): void {
    this.#messages = []
  }
}
