import type { ClientRequest, IncomingMessage } from 'node:http'
import type { ProviderClient } from '../../../provider/forward/client.js'
import { noAnswer, ProtocolChanged, TimedOut, Unreachable } from '../../../provider/forward/failures.js'
import type { Target } from '../../../provider/forward/target.js'
import { ClientLeft } from '../../body.js'
import { invite } from '../../continue.js'
import type { StepContext } from '../step-context.js'
import { relayHints } from './asides.js'
import { BodySender, responseOf } from './body-sender.js'
import { whenClientLeaves } from './client-leaves.js'
import type { PassingBody } from './passing-body.js'
import { requestHead } from './request-head.js'

/** Methods that may be repeated where nobody knows whether the first request was taken (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

/** A request on its way to the provider; its body passes by as it comes. */
export class Call {
  readonly body: PassingBody
  readonly target: Target
  readonly #context: StepContext
  readonly #client: ProviderClient
  readonly #sender: BodySender
  #request: ClientRequest | undefined
  #isReused = false
  /** Ends the waiting for the head of the answer. */
  #reject = (_: Error) => {}
  #ignoreClient = () => {}
  /** What on the client's side has ended it. */
  #why: Error | undefined

  constructor(context: StepContext, client: ProviderClient, target: Target, body: PassingBody) {
    this.body = body
    this.target = target
    this.#context = context
    this.#client = client
    this.#sender = new BodySender(context.request.raw, body, (request) => this.#awaitHead(request))
  }

  /**
   * Connects; nothing is sent, and nothing of the client's body is read.
   * @throws {Unreachable}
   */
  async connect(): Promise<void> {
    const { request, isReused } = await this.#client.connect(this.target, requestHead(this.#context, this.target))
    this.#request = request
    this.#isReused = isReused
  }

  /**
   * Sends the request, and resolves with the head of the answer. It ends where the client leaves, until it is released.
   * @throws {Unreachable} where the provider gives none
   * @throws {ClientLeft} where nobody waits for it any more; and what else ends the reading of a body
   */
  async ask(): Promise<IncomingMessage> {
    this.#ignoreClient = whenClientLeaves(this.#context, () => this.#endForClient())
    try {
      this.#sender.read((why) => this.#end(why))
      // It may have left before anybody listened.
      if (this.#context.request.raw.socket.writable === false) this.#endForClient()
      for (;;) {
        try {
          return await this.#answered(this.#request as ClientRequest)
        } catch (error) {
          if (!this.#mayRepeat(error as Error)) throw error
          this.#sender.pause()
          await this.connect()
          this.#sender.resume()
        }
      }
    } catch (error) {
      this.abort()
      throw this.#why ?? (error instanceof Unreachable ? error : noAnswer(this.target, error as Error))
    }
  }

  /** Goes on whatever becomes of the client: whoever passes the answer on looks after it. */
  release(): void {
    this.#ignoreClient()
  }

  /** Ends it, wherever it is. */
  abort(): void {
    this.release()
    this.#request?.destroy()
    this.#sender.stop()
  }

  #endForClient(): void {
    this.#end(this.body.ended ? new ClientLeft('the answer') : new ClientLeft())
  }

  #end(why: Error): void {
    this.#why ??= why
    this.#reject(this.#why)
    this.#request?.destroy()
  }

  #answered(request: ClientRequest): Promise<IncomingMessage> {
    const { reply, request: own } = this.#context
    return new Promise((resolve, reject) => {
      this.#reject = reject
      if (this.#why !== undefined) return reject(this.#why)
      request.once('response', resolve)
      request.once('error', reject)
      request.once('upgrade', (_, socket) => {
        reject(new ProtocolChanged())
        socket.destroy()
      })
      request.on('continue', () => invite(own.raw))
      request.on('information', ({ statusCode, headers }) => relayHints(reply.raw, statusCode, headers))
      request.on('timeout', () => this.#onIdle(request))
      // Where it has answered and left, nobody takes what the client still sends.
      request.once('close', () => {
        if (responseOf(request) !== undefined) this.#sender.stop()
      })
      this.#sender.send(request)
    })
  }

  /** However slowly the head of an answer comes, and whatever interim answers before it. */
  #awaitHead(request: ClientRequest): void {
    const { idle } = this.#client.patience
    const timer = setTimeout(() => request.destroy(new TimedOut(idle)), idle)
    const stop = () => clearTimeout(timer)
    request.once('response', stop).once('close', stop)
  }

  /** Nothing moved for a while: an error only where it was the provider's turn. */
  #onIdle(request: ClientRequest): void {
    const { idle } = this.#client.patience
    const answer = responseOf(request)
    const isProviders = answer === undefined ? this.#sender.isProvidersTurn : answer.readableFlowing === true
    if (isProviders) request.destroy(new TimedOut(idle))
    else request.socket?.setTimeout(idle)
  }

  /** A connection that was kept may have ended as the request went out: where it can, it goes out again. */
  #mayRepeat(error: Error & { readonly code?: string }): boolean {
    if (this.#why !== undefined || !this.#isReused || !/^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '')) return false
    return IDEMPOTENT.has(this.#context.request.raw.method ?? '') && this.body.soFar !== undefined
  }
}
