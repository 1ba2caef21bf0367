import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher, RetryAgent } from 'undici'
import { BODILESS } from '../../schemas/scenario.js'
import { codeOf, type Failure, type Place, unansweredBecause } from './failures.js'

export type Timeouts = Pick<Place, 'connect' | 'idle'>

/** After how many milliseconds a request is sent again; undefined if it is not. */
export type Retry = (error: Failure, attempt: number) => number | undefined

interface Options extends Pick<Place, 'option'> {
  readonly timeouts: Timeouts
  /** Without it, answers are taken as they are. */
  readonly retry?: Retry
  /** Bytes of the longest body that is read. */
  readonly longest?: number
}

export interface ProviderRequest {
  readonly method: string
  /** What follows the base URL. */
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer | null
  /** Aborted when the client has left. */
  readonly signal?: AbortSignal
}

/** A provider's answer, received whole. */
export interface ProviderAnswer {
  readonly status: number
  /** The words beside the status; empty for the status's own words, if Node cannot write them. */
  readonly reason: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Beyond any real use; a provider that leads back here ends in 504 instead of running out of descriptors. */
const MOST_CONNECTIONS = 1_000
/** Bytes of the head of an answer: four times what most servers and clients take. */
const LONGEST_HEAD = 64 * 1024

/** Methods that may be repeated where nobody knows whether the first request was taken (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

/** Connections to providers, which are kept while they are used. */
export class ProviderClient {
  readonly #options: Options
  readonly #agent: Agent

  constructor(options: Options) {
    const { timeouts, longest = -1 } = options
    this.#options = options
    this.#agent = new Agent({
      connect: { timeout: timeouts.connect },
      connections: MOST_CONNECTIONS,
      headersTimeout: timeouts.idle,
      bodyTimeout: timeouts.idle,
      maxHeaderSize: LONGEST_HEAD,
      maxResponseSize: longest,
    })
  }

  /**
   * Resolves with the whole answer to a request below a base URL, which has no slash at its end.
   * @throws {Unanswered} if there is none
   */
  async ask(base: string, request: ProviderRequest, retry = this.#options.retry): Promise<ProviderAnswer> {
    const { origin } = new URL(base)
    const { path, method, headers, ...others } = request
    const { option, timeouts } = this.#options
    const options: Dispatcher.RequestOptions = {
      ...others,
      origin,
      path: `${base.slice(origin.length)}${path}`,
      method: method as Dispatcher.HttpMethod,
      headers: headers as string[],
    }
    try {
      const answer = await (retry === undefined ? this.#onceOrTwice(options) : this.#retried(options, retry))
      const { statusCode: status, statusText, headers: sent } = answer
      return { status, reason: reasonFrom(statusText), headers: sent, bytes: await bytesOf(answer) }
    } catch (error) {
      throw unansweredBecause(error as Failure, { url: base, option, ...timeouts })
    }
  }

  async #retried(options: Dispatcher.RequestOptions, retry: Retry): Promise<Dispatcher.ResponseData> {
    let isAnswered = false
    const agent = new RetryAgent(this.#agent, {
      throwOnError: false,
      retry(error, { state }, done) {
        // An answer that breaks off is not continued.
        const pause = isAnswered ? undefined : retry(error as Failure, state.counter)
        if (pause === undefined) done(error)
        else setTimeout(done, pause, null)
      },
    })
    const answer = await agent.request(options)
    isAnswered = true
    return answer
  }

  /**
   * A connection that was kept may have ended as the request went out: where it can, it goes out again. The RetryAgent
   * takes early hints for answers, which must be passed on.
   */
  #onceOrTwice(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    return this.#agent.request(options).catch((error: Failure) => {
      const isClosed = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(codeOf(error))
      if (!isClosed || !IDEMPOTENT.has(options.method)) throw error
      return this.#agent.request(options)
    })
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

async function bytesOf({ statusCode, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (statusCode <= 599 && !BODILESS.has(statusCode))
    return body.bytes().then(Buffer.from, (error: Failure) => {
      const isOwn = /TIMEOUT|EXCEEDED/.test(error.code ?? '')
      throw isOwn ? error : Object.assign(new Error('the body broke off'), { code: 'BROKEN_BODY' })
    })
  // undici takes the length that a 304 may tell for a body that was cut off.
  body.on('error', () => {}).resume()
  if (statusCode <= 599) return Buffer.alloc(0)
  throw Object.assign(new Error(`the status ${statusCode} is above 599`), { code: 'NO_HTTP' })
}

/** undici reads as UTF-8 what is Latin-1 on the wire. */
function reasonFrom(text: string): string {
  return /[\p{Cc}\ufffd]/u.test(text.replaceAll('\t', ' ')) ? '' : Buffer.from(text).toString('latin1')
}
