import type { ExchangeEntry } from '../../mock/http/views/entry.js'
import { InvalidFiles } from '../../mock/text/invalid-files.js'
import { objectIn } from '../../mock/text/json.js'
import { InvalidOption } from '../../server/invalid-option.js'

/** How the admin API of a server is reached: in this process or over HTTP. `api` is the API of one of its sandboxes. */
export interface Transport {
  /** @throws {Error} if no server answers */
  call(api: string, path: string, init: Init): Promise<{ readonly status: number; readonly text: string }>
  /** Begins to read the events of a sandbox. */
  listen(api: string): Promise<{ readonly texts: AsyncIterable<string>; end(): void }>
  close(): Promise<void>
}

export interface Init {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The body of a refusal (RFC 9457). */
interface ProblemBody {
  readonly detail: string
  /** Complaints about places in the data that was sent. */
  readonly complaints?: readonly { readonly path: string; readonly message: string }[]
}

/** The admin API of one sandbox. */
export class AdminApi {
  /** Without a trailing slash. */
  readonly url: string
  readonly #transport: Transport

  constructor(url: string, transport: Transport) {
    this.url = url
    this.#transport = transport
  }

  /** @throws {InvalidOption} if the admin API refuses the call */
  get<T>(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}): Promise<T> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(given as [string, string][])
    return this.#call(search.size === 0 ? path : `${path}?${search}`, { method: 'GET' })
  }

  /**
   * Sends a command to the sandbox and returns its answer.
   * @throws {InvalidOption} if the admin API refuses the call
   * @throws {InvalidFiles} if it complains about places in the body, which the complaints call `file`
   */
  send<T>(method: Init['method'], path: string, body?: unknown, file?: string): Promise<T> {
    const headers = { 'content-type': 'application/json' }
    return this.#call(path, body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }, file)
  }

  async #call<T>(path: string, init: Init, file = ''): Promise<T> {
    const { status, text } = await this.#transport.call(this.url, path, init)
    const answer = objectIn(text)
    if (status < 300) return answer as T
    const { detail, complaints } = answer as ProblemBody
    if (complaints !== undefined) throw new InvalidFiles(complaints.map((one) => ({ file, ...one })))
    throw status < 500 ? new InvalidOption(detail) : new Error(detail)
  }

  /** Calls the listener with each exchange of the sandbox as it ends, until the function that it resolves with is called. */
  async listen(listener: (exchange: ExchangeEntry) => void): Promise<() => void> {
    const { texts, end } = await this.#transport.listen(this.url)
    void readEvents(texts, listener)
    return end
  }
}

async function readEvents(texts: AsyncIterable<string>, listener: (exchange: ExchangeEntry) => void): Promise<void> {
  let rest = ''
  try {
    for await (const text of texts) {
      const events = `${rest}${text}`.split('\n\n')
      rest = events.pop() as string
      for (const event of events) {
        const data = /^event: exchange\ndata: (.*)$/m.exec(event)?.[1]
        // An error of the listener is its own, and not the end of the events.
        if (data !== undefined) queueMicrotask(() => listener(JSON.parse(data)))
      }
    }
  } catch {
    // The listener was ended, or the server went, which the next call reports.
  }
}
