import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import { BODILESS } from '../../../schemas/scenario.js'
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

/** Statuses above are none (RFC 9110, section 15). */
const HIGHEST_STATUS = 599

/** An answer whose status is none. */
export class NoStatus extends Error {
  constructor(status: number) {
    super(`the status ${status} is above 599`)
  }
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
  /** Null without one. */
  readonly body: Buffer | null
  /** Aborted when the client has left. */
  readonly signal: AbortSignal
}

/** A provider's answer, received whole. */
export interface ProviderAnswer {
  readonly status: number
  /** The words beside the status; empty for the status's own words, if Node cannot write them. */
  readonly reason: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
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

  /** Resolves with the whole answer. @throws {Error} an error of undici, or `NoStatus` */
  async ask({ origin, base }: Target, request: ForwardedRequest): Promise<ProviderAnswer> {
    const { path, headers, method, body, signal } = request
    const ask = () =>
      this.#agent.request({
        origin,
        path: `${base}${path}`,
        method: method as Dispatcher.HttpMethod,
        headers: headers as string[],
        body,
        signal,
      })
    const answer = await ask().catch((error) => {
      if (!mayRepeat(request, error)) throw error
      return ask()
    })
    const { statusCode: status, statusText, headers: sent } = answer
    if (status > HIGHEST_STATUS) {
      answer.body.on('error', () => {}).destroy()
      throw new NoStatus(status)
    }
    return { status, reason: reasonFrom(statusText), headers: sent, bytes: await bytesOf(answer).catch(breakOff) }
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

/** An answer that ended before it was whole. */
export class BrokenOff extends Error {}

function breakOff(cause: Error): never {
  throw new BrokenOff(cause.message, { cause })
}

/** undici takes the length that a 304 may tell for a body that was cut off. */
async function bytesOf({ statusCode, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (!BODILESS.has(statusCode)) return Buffer.from(await body.arrayBuffer())
  body.on('error', () => {}).resume()
  return Buffer.alloc(0)
}

/** undici reads as UTF-8 what is Latin-1 on the wire. */
function reasonFrom(text: string): string {
  return /[\p{Cc}\ufffd]/u.test(text.replaceAll('\t', ' ')) ? '' : Buffer.from(text).toString('latin1')
}
