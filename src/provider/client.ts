import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import { BODILESS } from '../../schemas/scenario.js'
import { failBody, isClosed, type RequestError, type Timeouts, unansweredBecause } from './failures.js'

export type ProviderRequest = Omit<Dispatcher.RequestOptions, 'origin'>

export interface ProviderAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The decoded body. */
  readonly text: string
  /** Why the text cannot be compared with the contract. */
  readonly unread?: string
}

/** May be repeated even if the first request was taken (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

export class ProviderClient {
  readonly #agent: Agent

  constructor(private readonly timeouts: Timeouts) {
    this.#agent = new Agent({
      connect: { timeout: timeouts.connect },
      headersTimeout: timeouts.idle,
      bodyTimeout: timeouts.idle,
    })
  }

  /** @throws {Unanswered} if there is no whole answer; the base URL has no slash at its end. */
  async ask(base: string, request: ProviderRequest): Promise<ProviderAnswer> {
    const { origin } = new URL(base)
    const options = { ...request, origin, path: `${base.slice(origin.length)}${request.path}` }
    try {
      const answer = await this.#agent.request(options).catch((error: RequestError) => {
        // A kept connection may have ended just as the request went out.
        if (!isClosed(error) || !IDEMPOTENT.has(request.method)) throw error
        return this.#agent.request(options)
      })
      const { statusCode: status, headers } = answer
      const bytes = await bytesOf(answer)
      const decoded = decodeBody(bytes, String(headers['content-encoding'] ?? ''))
      return { status, headers, bytes, ...decoded }
    } catch (error) {
      throw unansweredBecause(error as RequestError, base, '--provider', this.timeouts)
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

async function bytesOf({ statusCode, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (BODILESS.has(statusCode) || statusCode > 599) {
    // undici takes the Content-Length that a 304 may have for that of a truncated body.
    body.on('error', () => {}).resume()
    if (statusCode > 599) throw Object.assign(new Error(`the status is ${statusCode}`), { code: 'NO_HTTP' })
    return Buffer.alloc(0)
  }
  return body.bytes().then(Buffer.from, failBody)
}

const DECODERS: Readonly<Record<string, ((bytes: Buffer) => Buffer) | undefined>> = {
  '': (bytes) => bytes,
  identity: (bytes) => bytes,
  gzip: unzipSync,
  deflate: unzipSync,
  br: brotliDecompressSync,
}

function decodeBody(bytes: Buffer, contentEncoding: string): Pick<ProviderAnswer, 'text' | 'unread'> {
  const name = contentEncoding.trim().toLowerCase()
  const decode = DECODERS[name]
  if (decode === undefined) return { text: '', unread: `its Content-Encoding '${name}' is not decoded` }
  try {
    return { text: String(decode(bytes)) }
  } catch {
    return { text: `not ${contentEncoding}, as declared: ${bytes.toString()}` }
  }
}
