import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'
import type { ProviderClient } from '../../../provider/forward/client.js'
import { noAnswer, TimedOut, Unreachable } from '../../../provider/forward/failures.js'
import type { Target } from '../../../provider/forward/target.js'
import { announcesBody, ClientLeft, passBody } from '../../body.js'
import { invite, isWaiting } from '../../continue.js'
import type { StepContext } from '../step-context.js'
import type { PassingBody } from './passing-body.js'
import { requestHead } from './request-head.js'

/** Methods that may be repeated where nobody knows whether the first request was taken (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

/** A request on its way to the provider; its body passes by as it comes. */
export class Call {
  readonly body: PassingBody
  readonly #context: StepContext
  readonly #client: ProviderClient
  readonly target: Target
  #request: ClientRequest | undefined
  #isReused = false
  #stopBody = () => {}
  /** Ends the waiting for the head of the answer. */
  #reject = (_: Error) => {}
  #ignoreClient = () => {}
  /** What on the client's side has ended it. */
  #why: Error | undefined

  constructor(context: StepContext, client: ProviderClient, target: Target, body: PassingBody) {
    this.body = body
    this.#context = context
    this.#client = client
    this.target = target
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
    const { raw } = this.#context.request
    this.#ignoreClient = whenClientLeaves(this.#context, () => this.#end(new ClientLeft()))
    try {
      // It may have left before anybody listened.
      if (raw.socket.writable === false) this.#end(new ClientLeft())
      else this.#passBody()
      for (;;) {
        try {
          return await this.#answered(this.#request as ClientRequest)
        } catch (error) {
          if (!this.#mayRepeat(error as Error)) throw error
          raw.pause()
          await this.connect()
          if (!this.body.ended) raw.resume()
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
    this.#stopBody()
  }

  #end(why: Error): void {
    this.#why = why
    this.#reject(why)
    this.#request?.destroy()
  }

  #passBody(): void {
    const { raw } = this.#context.request
    if (this.body.ended || !announcesBody(raw)) {
      this.body.ended = true
      return
    }
    const { passed, stop } = passBody(raw, (chunk) => this.#pass(chunk))
    this.#stopBody = stop
    passed.then(
      () => {
        this.body.ended = true
        this.#finish(this.#request as ClientRequest)
      },
      (error) => this.#end(error),
    )
  }

  #pass(chunk: Buffer): void {
    this.body.take(chunk)
    const request = this.#request as ClientRequest
    if (request.destroyed || request.write(chunk)) return
    const { raw } = this.#context.request
    raw.pause()
    request.once('drain', () => raw.resume())
  }

  #answered(request: ClientRequest): Promise<IncomingMessage> {
    const { reply, request: own } = this.#context
    return new Promise((resolve, reject) => {
      this.#reject = reject
      if (this.#why !== undefined) return reject(this.#why)
      request.once('response', resolve)
      request.once('error', reject)
      request.once('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Error('it changed the protocol'))
      })
      request.on('continue', () => invite(own.raw))
      request.on('information', ({ statusCode, headers }) => relayHints(reply.raw, statusCode, headers))
      request.on('timeout', () => this.#onIdle(request))
      // Where it has answered and left, nobody takes what the client still sends.
      request.once('close', () => {
        if (responseOf(request) !== undefined) this.#stopBody()
      })
      this.#send(request)
    })
  }

  #send(request: ClientRequest): void {
    const { raw } = this.#context.request
    for (const chunk of this.body.soFar ?? []) request.write(chunk)
    if (this.body.ended) this.#finish(request)
    // What the client sends later, or waits to send, must not hold the head back.
    else if (raw.readableLength === 0 || isWaiting(raw)) request.flushHeaders()
  }

  #finish(request: ClientRequest): void {
    if (request.destroyed || request.writableEnded || responseOf(request) !== undefined) return endQuietly(request)
    // A request in process has none.
    const { rawTrailers = [] } = this.#context.request.raw as Partial<IncomingMessage>
    passTrailers(request, rawTrailers)
    request.end()
    // However slowly a head comes, and whatever interim answers before it.
    const { idle } = this.#client.patience
    const timer = setTimeout(() => request.destroy(new TimedOut(idle)), idle)
    const stop = () => clearTimeout(timer)
    request.once('response', stop).once('close', stop)
  }

  /** Nothing moved for a while: an error only where it was the provider's turn. */
  #onIdle(request: ClientRequest): void {
    const { idle } = this.#client.patience
    const answer = responseOf(request)
    const isProviders =
      answer === undefined ? this.body.ended || request.writableNeedDrain : answer.readableFlowing === true
    if (isProviders) request.destroy(new TimedOut(idle))
    else request.socket?.setTimeout(idle)
  }

  /** A connection that was kept may have ended as the request went out: where it can, it goes out again. */
  #mayRepeat(error: Error & { readonly code?: string }): boolean {
    if (this.#why !== undefined || !this.#isReused || !/^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '')) return false
    return IDEMPOTENT.has(this.#context.request.raw.method ?? '') && this.body.soFar !== undefined
  }
}

/** Calls back when the client leaves, until the returned function is called. */
export function whenClientLeaves({ reply, request }: StepContext, listener: () => void): () => void {
  // Behind another answer on its connection, this one has no socket of its own that could close.
  const connection = reply.raw.socket === null ? request.raw.socket : reply.raw
  connection.once('close', listener)
  return () => void connection.off('close', listener)
}

/** One that is answered already needs no more than its end. */
function endQuietly(request: ClientRequest): void {
  if (!request.destroyed && !request.writableEnded) request.end()
}

function responseOf(request: ClientRequest): IncomingMessage | undefined {
  return (request as ClientRequest & { readonly res?: IncomingMessage | null }).res ?? undefined
}

/** Passes trailers on; those that Node cannot write are left out, since all else has passed already. */
export function passTrailers(message: OutgoingMessage, raw: readonly string[]): void {
  if (raw.length === 0 || !message.chunkedEncoding) return
  const pairs = Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at], raw[2 * at + 1]] as [string, string])
  try {
    message.addTrailers(pairs)
  } catch {
    // Node reads more than it writes.
  }
}

const EARLY_HINTS = 103

/** Passes on what comes before an answer, as far as Node can say it; HTTP/1.0 knows no such thing. */
function relayHints(response: ServerResponse, status: number, { link, ...headers }: IncomingHttpHeaders): void {
  if (status !== EARLY_HINTS || link === undefined || response.req.httpVersionMinor === 0) return
  try {
    response.writeEarlyHints({ link, ...headers } as Record<string, string | string[]>)
  } catch {
    // A hint that is no link is no use.
  }
}
