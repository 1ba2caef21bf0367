import type { Keeper, SharedBudget } from '../budget.js'

/** The content of a mail. */
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

/** A mail in the outbox. */
export interface Message extends Mail {
  readonly id: string
  readonly created_at: string
  readonly delivery: Delivery
}

/** Mails kept per world; the oldest goes first. How long they may be together is a matter of the budget. */
const MOST_MESSAGES = 1_000
const KEPT: Delivery = { status: 'kept', attempts: 0 }

/** A mail for the outbox; it is written when someone reads it, since most are never read. */
export interface OutgoingMail {
  readonly id: string
  readonly created_at: string
  readonly to: string
  /** Characters of it once it is written, roughly. */
  readonly size: number
  readonly write: () => Mail
}

/** What is known of a mail before it is written. */
export type Head = Pick<Message, 'id' | 'created_at' | 'to' | 'delivery'>

interface Kept extends OutgoingMail {
  readonly delivery: Delivery
}

/** The mails a world has sent, oldest first. */
export class Outbox implements Keeper {
  readonly #budget: SharedBudget
  /** By their ids, oldest first. */
  readonly #box = new Map<string, Kept>()
  #revision = 0
  readonly #waiting = new Set<() => void>()
  /** Called with each new mail, to deliver it to an SMTP server. */
  onMessage: ((message: Message) => void) | undefined

  constructor(budget: SharedBudget) {
    this.#budget = budget
  }

  /** Grows with each mail that comes, goes or is delivered. */
  get revision(): number {
    return this.#revision
  }

  add(mail: OutgoingMail): void {
    const kept = { ...mail, delivery: KEPT }
    // Before it is in the box: whatever has to go to make room, it stays.
    this.#budget.add(this, mail.size)
    this.#box.set(mail.id, kept)
    this.#revision++
    if (this.#box.size > MOST_MESSAGES) this.#forget(this.#box.size - MOST_MESSAGES)
    this.onMessage?.(read(kept))
    for (const look of [...this.#waiting]) look()
  }

  /** Records how a mail's delivery went; nothing happens for a mail that has been deleted since. */
  delivered(id: string, delivery: Delivery): void {
    const kept = this.#box.get(id)
    if (kept === undefined) return
    this.#box.set(id, { ...kept, delivery })
    this.#revision++
  }

  /** The mails to an address (in any letter case), or all. */
  messages(to?: string): readonly Message[] {
    return this.#to(to).map(read)
  }

  /** The same without what somebody would have to write. */
  heads(to?: string): readonly Head[] {
    return this.#to(to).map(({ id, created_at, to, delivery }) => ({ id, created_at, to, delivery }))
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
        if (this.#to(to).length > 0) end()
      }
      const timer = setTimeout(end, ms)
      this.#waiting.add(look)
      signal?.addEventListener('abort', end)
      look()
    })
  }

  /** Removes those mails that there are of these, and returns whether there were any. */
  remove(ids: ReadonlySet<string>): boolean {
    this.#revision++
    const found = [...ids].flatMap((id) => this.#box.get(id) ?? [])
    for (const { id, size } of found) {
      this.#box.delete(id)
      this.#budget.add(this, -size)
    }
    return found.length > 0
  }

  clear(): void {
    this.#forget(this.#box.size)
  }

  forgetOlder(): number {
    return this.#remove(Math.ceil(this.#box.size / 2))
  }

  /** Forgets everything, when the world is deleted. */
  end(): void {
    this.clear()
    this.#budget.remove(this)
  }

  #to(to: string | undefined): readonly Kept[] {
    const address = to?.toLowerCase()
    return [...this.#box.values()].filter((kept) => address === undefined || kept.to.toLowerCase() === address)
  }

  #forget(count: number): void {
    this.#budget.add(this, -this.#remove(count))
  }

  /** Removes the oldest mails, and returns the bytes that they kept. */
  #remove(count: number): number {
    let [left, freed] = [count, 0]
    for (const { id, size } of this.#box.values()) {
      if (left-- <= 0) break
      this.#box.delete(id)
      freed += size
    }
    this.#revision++
    return freed
  }
}

function read({ id, created_at, write, delivery }: Kept): Message {
  return { id, created_at, ...write(), delivery }
}
