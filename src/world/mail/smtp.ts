import { setTimeout as sleep } from 'node:timers/promises'
import type { Transporter } from 'nodemailer'
import { onOneLine } from '../../text/wording.js'
import type { Message, Outbox } from './outbox.js'

/** Milliseconds before each further attempt; after the last one the mail has failed. */
const PAUSES: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000]
const TIMEOUT = 10_000
const LONGEST_ERROR = 300

/** Delivers mails to an SMTP server; no answer of the API waits for it. */
export class Smtp {
  readonly #url: string
  readonly #pauses: readonly number[]
  readonly #report: (text: string) => void
  readonly #closed = new AbortController()
  #transporter: Promise<Transporter> | undefined

  /**
   * `url` as smtp://user:password@host:port, or smtps: for TLS from the first byte; `report` takes a line for each mail
   * that cannot be delivered, when the first attempt fails and when there will be no other.
   */
  constructor(url: string, { report = (_: string) => {}, pauses = PAUSES } = {}) {
    this.#url = url
    this.#report = report
    this.#pauses = pauses
  }

  serve(outbox: Outbox): void {
    outbox.onMessage = (message) => {
      outbox.delivered(message.id, { status: 'pending', attempts: 0 })
      void this.#deliver(message, outbox)
    }
  }

  async close(): Promise<void> {
    this.#closed.abort()
    ;(await this.#transporter)?.close()
  }

  async #deliver(message: Message, outbox: Outbox): Promise<void> {
    const { signal } = this.#closed
    for (let attempts = 1; !signal.aborted; attempts++) {
      const error = await this.#attempt(message)
      if (error === undefined) return outbox.delivered(message.id, { status: 'delivered', attempts })
      const pause = this.#pauses[attempts - 1]
      outbox.delivered(message.id, { status: pause === undefined ? 'failed' : 'pending', attempts, error })
      const next = pause === undefined ? 'It will not be retried.' : 'It will be retried for a few seconds.'
      if (attempts === 1 || pause === undefined)
        this.#report(`The mail to ${message.to} could not be delivered: ${onOneLine(error, LONGEST_ERROR)}. ${next}`)
      if (pause === undefined) return
      await sleep(pause, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  async #attempt(message: Message): Promise<string | undefined> {
    try {
      this.#transporter ??= open(this.#url)
      await (await this.#transporter).sendMail(wired(message))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
}

async function open(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: TIMEOUT, greetingTimeout: TIMEOUT, socketTimeout: TIMEOUT }
  return createTransport({ url, pool: true, ...timeouts })
}

/** The mail as it goes over the wire: everything in it comes from the world, its boundary included. */
function wired({ id, to, from, subject, text, html, created_at }: Message) {
  return {
    to: { name: '', address: to },
    from,
    subject,
    text,
    html,
    date: new Date(created_at),
    messageId: `<${id}@countersign.example>`,
    baseBoundary: id,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

export async function sourceOf(message: Message): Promise<string> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return String(await new MailComposer(wired(message)).compile().build())
}
