import { EventEmitter, once } from 'node:events'

export interface Mail {
  readonly id: string
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** URLs of the buttons, by action. */
  readonly links: Readonly<Record<string, string>>
  readonly created_at: string
}

/** `kept`: there is no SMTP server. */
export interface Delivery {
  readonly status: 'kept' | 'pending' | 'delivered' | 'failed'
  readonly error?: string
}

export interface Message extends Mail {
  readonly delivery: Delivery
}

export interface Deliverer {
  deliver(message: Message, report: (delivery: Delivery) => void): Promise<void>
}

const MAX_MESSAGES = 1_000
export const LONGEST_WAIT = 120_000

export class Outbox {
  readonly #messages = new Map<string, Message>()
  readonly #events = new EventEmitter<{ mail: [] }>().setMaxListeners(0)

  constructor(
    private readonly changed: () => void,
    private readonly smtp?: Deliverer,
  ) {}

  add(mail: Mail): void {
    const delivery: Delivery = { status: this.smtp === undefined ? 'kept' : 'pending' }
    // A spread would run the lazy getter `html`.
    const message: Message = Object.assign(mail, { delivery })
    this.#messages.set(mail.id, message)
    const [oldest] = this.#messages.keys()
    if (this.#messages.size > MAX_MESSAGES) this.#messages.delete(oldest as string)
    this.changed()
    let current = message
    void this.smtp?.deliver(message, (delivery) => {
      // The outbox may have been reset since.
      if (this.#messages.get(mail.id) !== current) return
      current = { ...current, delivery }
      this.#messages.set(mail.id, current)
      this.changed()
    })
    this.#events.emit('mail')
  }

  messages(to?: string): readonly Message[] {
    const address = to?.toLowerCase()
    const all = [...this.#messages.values()]
    return address === undefined ? all : all.filter((message) => message.to.toLowerCase() === address)
  }

  async wait(to: string | undefined, ms: number, signal: AbortSignal): Promise<readonly Message[]> {
    // The loop refers to the timeout: `AbortSignal.any` alone would lose it to garbage collection.
    const timeout = AbortSignal.timeout(ms)
    while (ms > 0 && this.messages(to).length === 0 && !timeout.aborted && !signal.aborted)
      await once(this.#events, 'mail', { signal: AbortSignal.any([timeout, signal]) }).catch(() => {})
    return this.messages(to)
  }

  remove(id: string): void {
    this.#messages.delete(id)
    this.changed()
  }

  clear(): void {
    this.#messages.clear()
    this.changed()
  }
}
