import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { BODILESS } from '../../engine/contract/contract.js'
import { explainNoAnswer, failBody, isClosed, type NoAnswer, type RequestError, type Timeouts } from './failures.js'
import { proxyFor } from './proxy.js'

export type ProviderRequest = Omit<Dispatcher.RequestOptions, 'origin' | 'signal'> & {
  /** Cancels the request. */
  readonly cancelled?: AbortSignal
}

export interface ProviderAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The reason why the text cannot be checked. */
  readonly unread?: string
}

/** Bytes; most servers and clients accept 16 KiB. */
const LONGEST_HEAD = 64 * 1024

/** Safe to repeat (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

/** @throws {InvalidOption} for an unusable proxy */
function createAgent(url: string, options: Agent.Options): Dispatcher {
  const proxy = proxyFor(url)?.url.href
  return proxy === undefined
    ? new Agent(options)
    : new EnvHttpProxyAgent({ ...options, httpProxy: proxy, httpsProxy: proxy })
}

/** A whole answer may take this many idle timeouts. */
const WHOLE_TIMEOUT_FACTOR = 4
/** Milliseconds: undici's timers are coarse. */
const SHORTEST_TIMEOUT = 3_000

export class ProviderClient {
  readonly #agents = new Map<string, Dispatcher>()
  readonly #options: Agent.Options

  constructor(
    private readonly timeouts: Timeouts,
    maxBytes: number,
    private readonly option: '--target' | '--provider' = '--provider',
  ) {
    this.#options = {
      connect: { timeout: timeouts.connect },
      headersTimeout: timeouts.idle,
      bodyTimeout: timeouts.idle,
      maxHeaderSize: LONGEST_HEAD,
      maxResponseSize: maxBytes,
    }
  }

  /** `base` has no slash at the end. */
  async send(base: string, { cancelled, ...request }: ProviderRequest): Promise<ProviderAnswer | NoAnswer> {
    const { origin } = new URL(base)
    const agent = this.#agents.get(origin) ?? createAgent(origin, this.#options)
    this.#agents.set(origin, agent)
    const timeout = AbortSignal.timeout(Math.max(this.timeouts.idle * WHOLE_TIMEOUT_FACTOR, SHORTEST_TIMEOUT))
    const signal = cancelled === undefined ? timeout : AbortSignal.any([cancelled, timeout])
    const options = { ...request, signal, origin, path: `${base.slice(origin.length)}${request.path}` }
    try {
      const answer = await agent.request(options).catch((error: RequestError) => {
        // The server may have closed an idle connection at the same moment.
        if (!isClosed(error) || !IDEMPOTENT.has(request.method)) throw error
        return agent.request(options)
      })
      const { statusCode: status, headers } = answer
      const bytes = await bytesOf(answer)
      const decoded = decodeBody(bytes, String(headers['content-encoding'] ?? ''))
      return { status, headers, bytes, ...decoded }
    } catch (error) {
      // Without this reference, garbage collection would remove the timeout.
      const cause = timeout.aborted ? timeout.reason : error
      return explainNoAnswer(cause as RequestError, base, this.option, this.timeouts)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((one) => one.destroy()))
  }
}

async function bytesOf({ statusCode, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (BODILESS.has(statusCode) || statusCode > 599) {
    // A 304 may have a Content-Length; undici then reports a truncated body.
    body.on('error', () => {}).resume()
    if (statusCode > 599) throw Object.assign(new Error(`the status is ${statusCode}`), { code: 'NO_HTTP' })
    return Buffer.alloc(0)
  }
  return body.bytes().then(Buffer.from, failBody)
}

/** Bytes: about ten thousand records. */
const MAX_COMPARED = 4 * 1024 * 1024
const TOO_LONG = `it is longer than ${MAX_COMPARED / 1024 / 1024} MiB`

type Decode = (bytes: Buffer) => Buffer

const zlibOptions = { maxOutputLength: MAX_COMPARED }
const keep: Decode = (bytes) => bytes
const unzip: Decode = (bytes) => unzipSync(bytes, zlibOptions)

const DECODERS: Readonly<Record<string, Decode | undefined>> = {
  '': keep,
  identity: keep,
  gzip: unzip,
  'x-gzip': unzip,
  // Some servers omit the zlib wrapper.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? unzip(bytes) : inflateRawSync(bytes, zlibOptions)),
  br: (bytes) => brotliDecompressSync(bytes, zlibOptions),
}

function decodeBody(bytes: Buffer, contentEncoding: string): Pick<ProviderAnswer, 'text' | 'unread'> {
  const name = contentEncoding.trim().toLowerCase()
  const decode = DECODERS[name]
  if (decode === undefined) return { text: '', unread: `its Content-Encoding '${name}' is not decoded` }
  if (bytes.byteLength > MAX_COMPARED)
    return { text: name === '' ? bytes.toString('utf8', 0, MAX_COMPARED) : '', unread: TOO_LONG }
  try {
    return { text: String(decode(bytes)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { text: '', unread: TOO_LONG }
    return { text: '', unread: `it is not '${name}', as its Content-Encoding says` }
  }
}
