import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { BODILESS } from '../../engine/contract/contract.js'
import { failBody, isClosed, type RequestError, type Timeouts, unansweredBecause } from './failures.js'
import { proxyFor } from './proxy.js'

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

/** Bytes: four times what most servers and clients take. */
const LONGEST_HEAD = 64 * 1024

/** May be repeated even if the first request was taken (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

/** Sends calls through the proxy that the environment names. @throws {InvalidOption} if that cannot be used */
function createAgent(url: string, options: Agent.Options): Dispatcher {
  const proxy = proxyFor(url)?.url.href
  return proxy === undefined
    ? new Agent(options)
    : new EnvHttpProxyAgent({ ...options, httpProxy: proxy, httpsProxy: proxy })
}

/** Times the idle time that a whole answer may take: a byte now and then is no answer. */
const WHOLE = 4
/** Milliseconds: undici's own timers are coarse. */
const SHORTEST = 3_000

export class ProviderClient {
  readonly #agents = new Map<string, Dispatcher>()
  readonly #options: Agent.Options

  /** An answer may have so many bytes; `option` names the provider. */
  constructor(
    private readonly timeouts: Timeouts,
    mostBytes: number,
    private readonly option: '--target' | '--provider' = '--provider',
  ) {
    this.#options = {
      connect: { timeout: timeouts.connect },
      headersTimeout: timeouts.idle,
      bodyTimeout: timeouts.idle,
      maxHeaderSize: LONGEST_HEAD,
      maxResponseSize: mostBytes,
    }
  }

  /** @throws {Unanswered} if there is no whole answer; the base URL has no slash at its end. */
  async ask(base: string, request: ProviderRequest): Promise<ProviderAnswer> {
    const { origin } = new URL(base)
    const agent = this.#agents.get(origin) ?? createAgent(origin, this.#options)
    this.#agents.set(origin, agent)
    const signal = AbortSignal.timeout(Math.max(this.timeouts.idle * WHOLE, SHORTEST))
    const options = { ...request, signal, origin, path: `${base.slice(origin.length)}${request.path}` }
    try {
      const answer = await agent.request(options).catch((error: RequestError) => {
        // A kept connection may have ended just as the request went out.
        if (!isClosed(error) || !IDEMPOTENT.has(request.method)) throw error
        return agent.request(options)
      })
      const { statusCode: status, headers } = answer
      const bytes = await bytesOf(answer)
      const decoded = decodeBody(bytes, String(headers['content-encoding'] ?? ''))
      return { status, headers, bytes, ...decoded }
    } catch (error) {
      throw unansweredBecause(error as RequestError, base, this.option, this.timeouts)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((one) => one.destroy()))
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

/** Bytes of an answer, sent and decoded, that are compared with the contract: some ten thousand records. */
const MOST_COMPARED = 4 * 1024 * 1024
const TOO_LONG = `it is longer than ${MOST_COMPARED / 1024 / 1024} MiB`

type Decode = (bytes: Buffer) => Buffer

const options = { maxOutputLength: MOST_COMPARED }
const keep: Decode = (bytes) => bytes
const unzip: Decode = (bytes) => unzipSync(bytes, options)

const DECODERS: Readonly<Record<string, Decode | undefined>> = {
  '': keep,
  identity: keep,
  gzip: unzip,
  'x-gzip': unzip,
  // Some servers leave the zlib wrapper out.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? unzip(bytes) : inflateRawSync(bytes, options)),
  br: (bytes) => brotliDecompressSync(bytes, options),
}

function decodeBody(bytes: Buffer, contentEncoding: string): Pick<ProviderAnswer, 'text' | 'unread'> {
  const name = contentEncoding.trim().toLowerCase()
  const decode = DECODERS[name]
  if (decode === undefined) return { text: '', unread: `its Content-Encoding '${name}' is not decoded` }
  if (bytes.byteLength > MOST_COMPARED)
    return { text: name === '' ? bytes.toString('utf8', 0, MOST_COMPARED) : '', unread: TOO_LONG }
  try {
    return { text: String(decode(bytes)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { text: '', unread: TOO_LONG }
    return { text: `not ${contentEncoding}, as declared: ${bytes.toString()}` }
  }
}
