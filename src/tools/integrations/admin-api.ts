import { objectIn } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import { InvalidFiles } from '../../engine/files/invalid-files.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import type { ExchangeEntry } from '../../engine/journal/entry.js'
import type { AdminClient, AdminRequest, OnData } from './admin-client.js'

export class AdminApi {
  constructor(
    /** Has no slash at the end. */
    readonly url: string,
    private readonly client: AdminClient,
  ) {}

  get<T>(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}): Promise<T> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(given as [string, string][])
    return this.send('GET', search.size === 0 ? path : `${path}?${search}`)
  }

  /** `file` names the body. @throws {InvalidOption} for a refusal @throws {InvalidFiles} for complaints */
  async send<T>(method: AdminRequest['method'], path: string, body?: unknown, file = ''): Promise<T> {
    const chunks: Buffer[] = []
    const request = { method, path, body: JSON.stringify(body) }
    const status = await this.client.send(this.url, request, (data) => chunks.push(data))
    const answer = objectIn(Buffer.concat(chunks).toString())
    if (answer === undefined) throw foreign(this.url)
    if (status < 300) return answer as T
    const { detail, complaints } = answer as { detail?: unknown; complaints?: { path: string; message: string }[] }
    if (typeof detail !== 'string') throw foreign(this.url)
    if (status === 401) {
      const refusal = this.client.headers.authorization
        ? 'does not accept this admin token'
        : 'requires its admin token'
      throw new InvalidOption(
        `The server at ${this.url} ${refusal}. Pass the token of its --admin-token: connect(url, { adminToken }).`,
      )
    }
    if (complaints !== undefined) throw new InvalidFiles(complaints.map((one) => ({ file, ...one })))
    throw status < 500 ? new InvalidOption(detail) : new Error(detail)
  }

  /** Resolves with a function that stops it. */
  listen(listener: (exchange: ExchangeEntry) => void): Promise<() => void> {
    const decoder = new TextDecoder()
    let rest = ''
    return new Promise((resolve, reject) => {
      const onData: OnData = (data, status, socket) => {
        if (status !== 200) return
        // Listening does not keep the process alive.
        socket.unref()
        resolve(() => socket.destroy())
        const events = `${rest}${decoder.decode(data, { stream: true })}`.split('\n\n')
        rest = events.pop() as string
        for (const event of events) {
          const json = /^event: exchange\ndata: (.*)$/m.exec(event)?.[1]
          // An error of the listener does not end the events.
          if (json !== undefined) void (async () => listener(JSON.parse(json)))()
        }
      }
      const ended = this.client.send(this.url, { method: 'GET', path: '/events', bodyTimeout: 0 }, onData)
      ended.then((status) => reject(new InvalidOption(`${this.url}/events answers ${status}.`)), reject)
    })
  }
}

export function foreign(url: string): InvalidOption {
  return new InvalidOption(`${quote(url)} is not the admin API of a countersign server.`)
}
