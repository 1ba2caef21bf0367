import type { ClientRequest, IncomingMessage } from 'node:http'
import { announcesBody, passBody } from '../../body.js'
import { isWaiting } from '../../continue.js'
import { passTrailers } from './asides.js'
import type { PassingBody } from './passing-body.js'

/** Sends the body of the client's request as it comes, over whatever connection there is at the time. */
export class BodySender {
  readonly #raw: IncomingMessage
  readonly #body: PassingBody
  /** Called as soon as all of a request is sent. */
  readonly #sent: (request: ClientRequest) => void
  #request: ClientRequest | undefined
  #stop = () => {}
  #isStopped = false

  constructor(raw: IncomingMessage, body: PassingBody, sent: (request: ClientRequest) => void) {
    this.#raw = raw
    this.#body = body
    this.#sent = sent
  }

  /** Reads what the client sends; `fail` hears what ends that before its time. */
  read(fail: (why: Error) => void): void {
    if (this.#body.ended || !announcesBody(this.#raw)) {
      this.#body.ended = true
      return
    }
    const { passed, stop } = passBody(this.#raw, (chunk) => this.#pass(chunk))
    this.#stop = stop
    passed.then(() => {
      if (this.#isStopped) return
      this.#body.ended = true
      this.#finish(this.#request as ClientRequest)
    }, fail)
  }

  /** Sends a request's head and what has come so far; all that comes later follows. */
  send(request: ClientRequest): void {
    this.#request = request
    for (const chunk of this.#body.soFar ?? []) request.write(chunk)
    if (this.#body.ended) this.#finish(request)
    // What the client sends later, or waits to send, must not hold the head back.
    else if (this.#raw.readableLength === 0 || isWaiting(this.#raw)) request.flushHeaders()
  }

  /** Whether the provider could read on. */
  get isProvidersTurn(): boolean {
    return this.#body.ended || this.#request?.writableNeedDrain === true
  }

  /** The client does not send on until the next connection stands. */
  pause(): void {
    this.#raw.pause()
  }

  resume(): void {
    if (!this.#body.ended) this.#raw.resume()
  }

  /** What the client still sends goes nowhere. */
  stop(): void {
    this.#isStopped = true
    this.#stop()
  }

  #pass(chunk: Buffer): void {
    this.#body.take(chunk)
    const request = this.#request as ClientRequest
    if (request.destroyed || request.write(chunk)) return
    this.#raw.pause()
    request.once('drain', () => this.#raw.resume())
  }

  #finish(request: ClientRequest): void {
    if (request.destroyed || request.writableEnded) return
    // One that is answered already needs no more than its end.
    if (responseOf(request) !== undefined) return void request.end()
    // A request in process has none.
    const { rawTrailers = [] } = this.#raw as Partial<IncomingMessage>
    passTrailers(request, rawTrailers)
    request.end()
    this.#sent(request)
  }
}

/** The answer to a request, once its head has come. */
export function responseOf(request: ClientRequest): IncomingMessage | undefined {
  return (request as ClientRequest & { readonly res?: IncomingMessage | null }).res ?? undefined
}
