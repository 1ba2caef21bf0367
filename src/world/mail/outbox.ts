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

/** How the delivery of a mail went: `kept` where no SMTP server is set. */
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

/** A mail for the outbox; it is written when someone reads it, since most are never read. */
export interface OutgoingMail {
  readonly id: string
  readonly created_at: string
  readonly to: string
  readonly write: () => Mail
}

interface Kept extends OutgoingMail {
  readonly delivery: Delivery
}

/** The mails between two resets of a world by their ids, oldest first. */
type Box = Map<string, Kept>

/** The mails a world has sent, oldest first. */
export class Outbox {
  #box: Box = new Map()
  readonly #waiting = new Set<() => void>()
  /** Called with each new mail, to deliver it to an SMTP server. */
  onMessage: ((message: Message) => void) | undefined

  add(mail: OutgoingMail): void {
    this.later(mail)()
  }

  /** Returns what adds a mail later: to the mails of today, though a reset may come first. */
  later(mail: OutgoingMail): () => void {
    const box = this.#box
    return () => {
      const kept = { ...mail, delivery: KEPT }
      box.set(mail.id, kept)
      const [oldest] = box.keys()
      if (box.size > MOST_MESSAGES && oldest !== undefined) box.delete(oldest)
      this.onMessage?.(read(kept))
      for (const look of [...this.#waiting]) look()
    }
  }

  /** Records how a mail's delivery went; nothing happens for a mail that has been deleted since. */
  delivered(id: string, delivery: Delivery): void {
    const kept = this.#box.get(id)
    if (kept !== undefined) this.#box.set(id, { ...kept, delivery })
  }

  /** The mails to an address (in any letter case), or all. */
  messages(to?: string): readonly Message[] {
    const address = to?.toLowerCase()
    const wanted = [...this.#box.values()].filter((kept) => address === undefined || kept.to.toLowerCase() === address)
    return wanted.map(read)
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
    for (const id of ids) this.#box.delete(id)
  }

  clear(): void {
    this.#box.clear()
  }

  /** As new; the function that it returns undoes that. */
  reset(): () => void {
    const before = this.#box
    this.#box = new Map()
    return () => {
      this.#box = before
    }
  }
}

function read({ id, created_at, write, delivery }: Kept): Message {
  return { id, created_at, ...write(), delivery }
}
