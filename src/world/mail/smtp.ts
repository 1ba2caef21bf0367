import type { Transporter } from 'nodemailer'
import { onOneLine } from '../../text/wording.js'
import type { Message, Outbox } from './outbox.js'

/** Milliseconds before each further attempt; after the last one the mail has failed. */
const PAUSES: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000]
const TIMEOUT = 10_000
/** The longest quote of an SMTP server's message, in characters. */
const LONGEST_ERROR = 300
/** Mails that may be under way at once: a server that never answers would gather them without end. */
const MOST_UNDER_WAY = 1_000

/** Delivers mails to an SMTP server; no answer of the API waits for it. */
export class Smtp {
  readonly #url: string
  readonly #pauses: readonly number[]
  readonly #most: number
  readonly #report: (text: string) => void
  readonly #retries = new Set<NodeJS.Timeout>()
  #transporter: Promise<Transporter> | undefined
  #underWay = 0
  #closed = false

  /**
   * `url` as smtp://user:password@host:port, or smtps: for TLS from the first byte; `report` takes a line for each mail
   * that cannot be delivered.
   */
  constructor(url: string, { report = () => {}, pauses = PAUSES, most = MOST_UNDER_WAY }: SmtpOptions = {}) {
    this.#url = url
    this.#report = report
    this.#pauses = pauses
    this.#most = most
  }

  /** Delivers every mail that is added to an outbox, and records there how it went. */
  serve(outbox: Outbox): void {
    outbox.onMessage = (message) => {
      if (this.#underWay >= this.#most) {
        const error = 'too many mails are waiting for the SMTP server'
        outbox.delivered(message.id, { status: 'failed', attempts: 0, error })
        this.#tell(message, error, undefined)
        return
      }
      this.#underWay++
      outbox.delivered(message.id, { status: 'pending', attempts: 0 })
      void this.#attempt(message, outbox, 1)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const retry of this.#retries) clearTimeout(retry)
    ;(await this.#transporter)?.close()
  }

  async #attempt(message: Message, outbox: Outbox, attempts: number): Promise<void> {
    if (this.#closed) return
    try {
      this.#transporter ??= open(this.#url)
      await (await this.#transporter).sendMail(wired(message))
      this.#underWay--
      outbox.delivered(message.id, { status: 'delivered', attempts })
    } catch (error) {
      this.#retry(message, outbox, attempts, (error as Error).message)
    }
  }

  /** Says that a mail is not delivered: when the first attempt fails, and when there will be no other. */
  #tell({ to }: Message, error: string, pause: number | undefined): void {
    const next = pause === undefined ? 'It will not be retried.' : 'It will be retried for a few seconds.'
    this.#report(`The mail to ${to} could not be delivered: ${onOneLine(error, LONGEST_ERROR)}. ${next}`)
  }

  #retry(message: Message, outbox: Outbox, attempts: number, error: string): void {
    const pause = this.#pauses[attempts - 1]
    outbox.delivered(message.id, { status: pause === undefined ? 'failed' : 'pending', attempts, error })
    if (attempts === 1 || pause === undefined) this.#tell(message, error, pause)
    if (pause === undefined || this.#closed) {
      this.#underWay--
      return
    }
    const retry = setTimeout(() => {
      this.#retries.delete(retry)
      void this.#attempt(message, outbox, attempts + 1)
    }, pause)
    retry.unref()
    this.#retries.add(retry)
  }
}

interface SmtpOptions {
  readonly report?: (text: string) => void
  /** Milliseconds before each further attempt. */
  readonly pauses?: readonly number[]
  /** Mails that may be under way at once. */
  readonly most?: number
}

/** The mailer is loaded with the first mail. */
async function open(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
  })
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
    messageId: messageId(id),
    baseBoundary: id,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A mail as it goes over the wire, headers first. */
export async function sourceOf(message: Message): Promise<string> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return String(await new MailComposer(wired(message)).compile().build())
}

/** The Message-ID header of a mail. */
function messageId(id: string): string {
  return `<${id}@countersign.example>`
}
