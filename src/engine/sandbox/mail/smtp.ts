import type { Transporter } from 'nodemailer'
import { onOneLine } from '../../contract/wording.js'
import type { Deliverer, Delivery, Message } from './outbox.js'

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }
const LONGEST_ERROR = 300
const MAX_WAITING = 1_000

/** Delivers in the background: no answer of the API waits for a delivery. */
export class Smtp implements Deliverer {
  #isClosed = false
  #transporter: Promise<Transporter> | undefined
  #waiting = 0

  constructor(
    private readonly url: string,
    private readonly warn: (text: string) => void,
  ) {}

  async close(): Promise<void> {
    this.#isClosed = true
    ;(await this.#transporter)?.close()
  }

  async deliver(message: Message, report: (delivery: Delivery) => void): Promise<void> {
    if (this.#waiting === MAX_WAITING)
      return report({ status: 'failed', error: `${MAX_WAITING} other mails wait for the SMTP server` })
    this.#waiting++
    try {
      await this.#send(message)
      report({ status: 'delivered' })
    } catch (error) {
      const reason = (error as Error).message
      report({ status: 'failed', error: reason })
      const text = `The mail to ${message.to} could not be delivered: ${onOneLine(reason, LONGEST_ERROR)}.`
      if (!this.#isClosed) this.warn(text)
    }
    this.#waiting--
  }

  async #send(message: Message): Promise<void> {
    this.#transporter ??= import('nodemailer').then(({ createTransport }) => {
      return createTransport({ url: this.url, pool: true, ...TIMEOUTS })
    })
    await (await this.#transporter).sendMail(mailFrom(message))
  }
}

/** The same message gives the same bytes. */
function mailFrom({ id, to, from, subject, text, html, created_at }: Message) {
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

export async function mailSourceOf(message: Message): Promise<string> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return String(await new MailComposer(mailFrom(message)).compile().build())
}
