import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { Target } from './target.js'

/** How long the provider is waited for, in milliseconds. */
export interface Timeouts {
  /**
   * For a connection, name look-up and TLS included. Any network of today has it in one; a lost packet costs one to
   * three more, and people who wait for a fallback have had enough after five.
   */
  readonly connect: number
  /**
   * For the head of an answer after all of the request, and for each further piece of it. What gateways wait for varies
   * from 30 to 60 s; the client's own limit is mostly 30 s or more, and it should read the reason before it gives up.
   */
  readonly idle: number
}

const TIMEOUTS: Timeouts = { connect: 5_000, idle: 30_000 }

/** Beyond any real use; a provider that leads back here ends in 504 instead of running out of descriptors. */
const MOST_CONNECTIONS = 1_000
/** Bytes of the head of an answer: four times what most servers and clients take. */
const LONGEST_HEAD = 64 * 1024

/** A request as it goes to the provider. */
export interface ForwardedRequest {
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** As it comes, or whole; null where there is none. */
  readonly body: Readable | Buffer | null
  /** All of the body, where it is known by now. */
  readonly bodyAgain: () => Buffer | undefined
  /** Aborted where nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Called with what comes before the answer, such as early hints. */
  readonly onInfo: Dispatcher.RequestOptions['onInfo']
}

/** Connections to providers, which are kept while they are used. */
export class ProviderClient {
  readonly timeouts: Timeouts
  readonly #agent: Agent

  constructor(timeouts: Timeouts = TIMEOUTS) {
    this.timeouts = timeouts
    this.#agent = new Agent({
      connect: { timeout: timeouts.connect },
      connections: MOST_CONNECTIONS,
      headersTimeout: timeouts.idle,
      bodyTimeout: timeouts.idle,
      maxHeaderSize: LONGEST_HEAD,
    })
  }

  /** Resolves with the head of the answer. @throws {Error} as undici has it */
  async ask({ origin, base }: Target, request: ForwardedRequest): Promise<Dispatcher.ResponseData> {
    const { path, headers, method, body, bodyAgain, signal, onInfo } = request
    const ask = (sent: ForwardedRequest['body']) =>
      this.#agent.request({
        origin,
        path: `${base}${path}`,
        method: method as Dispatcher.HttpMethod,
        headers: headers as string[],
        body: sent,
        signal,
        onInfo,
      })
    try {
      return await ask(body)
    } catch (error) {
      const again = bodyAgain()
      if (again === undefined || !mayRepeat(request, error as NodeJS.ErrnoException)) throw error
      return ask(body === null ? null : again)
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

/** Methods that may be repeated where nobody knows whether the first request was taken (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

/** A connection that was kept may have ended as the request went out: where it can, it goes out again. */
function mayRepeat({ method, signal }: ForwardedRequest, { code = '', message }: NodeJS.ErrnoException): boolean {
  if (signal.aborted || Object.hasOwn(UNASKED, message)) return false
  return IDEMPOTENT.has(method) && /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code)
}

/** What undici refuses, by what it says of it: the status that came, and nobody has asked for. */
export const UNASKED: Readonly<Record<string, string>> = {
  'bad upgrade': '101 and changed the protocol',
  'bad response': '100 Continue',
}
