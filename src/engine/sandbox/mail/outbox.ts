export interface Mail {
  readonly id: string
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The URLs of the buttons in the mail, by what they do. */
  readonly links: Readonly<Record<string, string>>
  readonly created_at: string
}

/** The delivery of a mail: `kept` if no SMTP server is set. */
export interface Delivery {
  readonly status: 'kept' | 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly error?: string
}

export interface Message extends Mail {
  readonly delivery: Delivery
}

/** Delivers mails; `report` tells how it goes. */
export interface Deliverer {
  deliver(message: Message, report: (delivery: Delivery) => void): Promise<void>
}

const MOST_MESSAGES = 1_000
/** The milliseconds that a call may wait for a mail. */
export const LONGEST_WAIT = 120_000

export class Outbox {
  readonly #box = new Map<string, Message>()
  readonly #waiting = new Set<() => void>()

  constructor(
    private readonly changed: () => void,
    private readonly smtp?: Deliverer,
  ) {}

  add(mail: Mail): void {
    const delivery: Delivery = { status: this.smtp === undefined ? 'kept' : 'pending', attempts: 0 }
    // Object.assign keeps the lazy getter `html`; a spread would run it.
    const message: Message = Object.assign(mail, { delivery })
    this.#box.set(mail.id, message)
    const [oldest] = this.#box.keys()
    if (this.#box.size > MOST_MESSAGES) this.#box.delete(oldest as string)
    this.changed()
    void this.smtp?.deliver(message, this.#reporterOf(message))
    for (const look of [...this.#waiting]) look()
  }

  /** Ignores reports about a mail that a reset has replaced by one with the same id. */
  #reporterOf(message: Message): (delivery: Delivery) => void {
    let known = message
    return (delivery) => {
      if (this.#box.get(message.id) !== known) return
      known = { ...known, delivery }
      this.#box.set(message.id, known)
      this.changed()
    }
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
    this.changed()
  }

  clear(): void {
    this.#box.clear()
    this.changed()
  }
}
