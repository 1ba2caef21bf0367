import type { Transporter } from 'nodemailer'
import { onOneLine } from '../../contract/wording.js'
import { sleep } from '../../timers.js'
import type { Deliverer, Delivery, Message } from './outbox.js'

const PAUSES: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000]
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }
const LONGEST_ERROR = 300
const MAX_WAITING = 1_000

/** Delivers in the background: no answer of the API waits for a delivery. */
export class Smtp implements Deliverer {
  readonly #closed = new AbortController()
  #transporter: Promise<Transporter> | undefined
  #waiting = 0

  constructor(
    private readonly url: string,
    private readonly warn: (text: string) => void,
  ) {}

  async close(): Promise<void> {
    this.#closed.abort()
    ;(await this.#transporter)?.close()
  }

  async deliver(message: Message, report: (delivery: Delivery) => void): Promise<void> {
    if (this.#waiting === MAX_WAITING) {
      const error = `${MAX_WAITING} other mails wait for the SMTP server`
      return report({ status: 'failed', attempts: 0, error })
    }
    this.#waiting++
    await this.#attempt(message, report)
    this.#waiting--
  }

  async #attempt(message: Message, report: (delivery: Delivery) => void): Promise<void> {
    const { signal } = this.#closed
    for (let attempts = 1; !signal.aborted; attempts++) {
      const error = await this.#send(message).then(
        () => undefined,
        (reason: Error) => reason.message,
      )
      if (error === undefined) return report({ status: 'delivered', attempts })
      const pause = PAUSES[attempts - 1]
      report({ status: pause === undefined ? 'failed' : 'pending', attempts, error })
      const outlook = pause === undefined ? 'It will not be retried.' : 'It will be retried for a few seconds.'
      if (attempts === 1 || pause === undefined)
        this.warn(`The mail to ${message.to} could not be delivered: ${onOneLine(error, LONGEST_ERROR)}. ${outlook}`)
      if (pause === undefined) return
      await sleep(pause, undefined, { ref: false, signal }).catch(() => {})
    }
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
