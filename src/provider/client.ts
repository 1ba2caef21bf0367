import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import { BODILESS } from '../../schemas/scenario.js'
import { type ConnectionError, isClosed, type ProviderAddress, unansweredBecause } from './failures.js'

export type Timeouts = Pick<ProviderAddress, 'connect' | 'idle'>

interface ClientOptions extends Pick<ProviderAddress, 'option'> {
  readonly timeouts: Timeouts
  readonly longestBody?: number
}

export interface ProviderRequest {
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer | null
  readonly signal?: AbortSignal
}

export interface ProviderAnswer {
  readonly status: number
  /** Empty if Node cannot write it. */
  readonly reason: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** A provider that forwards back here ends in 504 instead of running out of descriptors. */
const MOST_CONNECTIONS = 1_000
/** Bytes: four times what most servers and clients take. */
const LONGEST_HEAD = 64 * 1024

/** May be repeated even if the first request was taken (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

export class ProviderClient {
  readonly #agent: Agent

  constructor(private readonly options: ClientOptions) {
    const { timeouts, longestBody = -1 } = options
    this.#agent = new Agent({
      connect: { timeout: timeouts.connect },
      connections: MOST_CONNECTIONS,
      headersTimeout: timeouts.idle,
      bodyTimeout: timeouts.idle,
      maxHeaderSize: LONGEST_HEAD,
      maxResponseSize: longestBody,
    })
  }

  /** @throws {Unanswered} if there is no whole answer; the base URL has no slash at its end. */
  async ask(base: string, request: ProviderRequest): Promise<ProviderAnswer> {
    const { origin } = new URL(base)
    const { path, method, headers, ...others } = request
    const { option, timeouts } = this.options
    const options: Dispatcher.RequestOptions = {
      ...others,
      origin,
      path: `${base.slice(origin.length)}${path}`,
      method: method as Dispatcher.HttpMethod,
      headers: headers as string[],
    }
    try {
      const answer = await this.#agent.request(options).catch((error: ConnectionError) => {
        // A kept connection may have ended just as the request went out.
        if (!isClosed(error) || !IDEMPOTENT.has(method)) throw error
        return this.#agent.request(options)
      })
      const { statusCode: status, statusText, headers: received } = answer
      return { status, reason: reasonFrom(statusText), headers: received, bytes: await bytesOf(answer) }
    } catch (error) {
      throw unansweredBecause(error as ConnectionError, { url: base, option, ...timeouts })
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

async function bytesOf({ statusCode, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (statusCode <= 599 && !BODILESS.has(statusCode))
    return body.bytes().then(Buffer.from, (error: ConnectionError) => {
      const isOwn = /TIMEOUT|EXCEEDED/.test(error.code ?? '')
      throw isOwn ? error : Object.assign(new Error('the body broke off'), { code: 'BROKEN_BODY' })
    })
  // undici takes the Content-Length that a 304 may have for that of a truncated body.
  body.on('error', () => {}).resume()
  if (statusCode <= 599) return Buffer.alloc(0)
  throw Object.assign(new Error(`the status ${statusCode} is above 599`), { code: 'NO_HTTP' })
}

/** undici reads it as UTF-8, though it is Latin-1 on the wire. */
function reasonFrom(text: string): string {
  return /[\p{Cc}\ufffd]/u.test(text.replaceAll('\t', ' ')) ? '' : Buffer.from(text).toString('latin1')
}
