/// <reference path="./undici.d.ts" />
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { buildConnector, Client, Dispatcher } from 'undici'
import { objectIn } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import { InvalidFiles } from '../../engine/files/invalid-files.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import type { ExchangeEntry } from '../../engine/journal/entry.js'

export class AdminApi {
  constructor(
    /** Has no slash at the end. */
    readonly url: string,
    private readonly client: AdminClient,
  ) {}

  get<T>(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}): Promise<T> {
    const parameters = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(parameters as [string, string][])
    return this.send('GET', search.size === 0 ? path : `${path}?${search}`)
  }

  /** `file` names the body in complaints. @throws {InvalidOption} for problems @throws {InvalidFiles} for complaints */
  async send<T>(method: AdminRequest['method'], path: string, body?: unknown, file = ''): Promise<T> {
    const chunks: Buffer[] = []
    const request = { method, path, body: JSON.stringify(body) }
    const status = await this.client.send(this.url, request, (data) => chunks.push(data))
    const answer = objectIn(Buffer.concat(chunks).toString())
    if (answer === undefined) throw notAdminApi(this.url)
    if (status < 300) return answer as T
    const { detail, complaints } = answer as { detail?: unknown; complaints?: { path: string; message: string }[] }
    if (typeof detail !== 'string') throw notAdminApi(this.url)
    if (status === 401) {
      const hasToken = this.client.headers.authorization !== undefined
      throw new InvalidOption(
        `The server at ${this.url} ${hasToken ? 'does not accept this' : 'requires its'} admin token. Pass the token that it was started with: connect(url, { adminToken }).`,
      )
    }
    if (complaints !== undefined) throw new InvalidFiles(complaints.map((one) => ({ file, ...one })))
    throw status < 500 ? new InvalidOption(detail) : new Error(detail)
  }

  /** Resolves with a function that ends the events. */
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
          const json = /^event: exchange\ndata: ([^\n]*)/m.exec(event)?.[1]
          // An error of the listener does not end the events.
          if (json !== undefined) void (async () => listener(JSON.parse(json)))()
        }
      }
      const ended = this.client.send(this.url, { method: 'GET', path: '/events', bodyTimeout: 0 }, onData)
      ended.then((status) => reject(new InvalidOption(`${this.url}/events answers ${status}.`)), reject)
    })
  }
}

export function notAdminApi(url: string): InvalidOption {
  return new InvalidOption(`${quote(url)} is not the admin API of a countersign server.`)
}

type AdminRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'body' | 'bodyTimeout'>
type OnData = (data: Buffer, status: number, socket: Socket) => void

/** Milliseconds for a connection, and for the first answer. */
const CONNECT_TIMEOUT = 10_000

/** Read before interceptors replace it. */
const connectSocket = net.Socket.prototype.connect as (this: Socket, to: net.TcpSocketConnectOpts) => Socket

/** Each call has its own connection: idle ones would delay the server's `close` or need a timer that tests may fake. */
export class AdminClient {
  readonly #open = new Set<Socket>()
  #hasAnswered = false
  /** Rejects later calls. */
  #closeMessage: string | undefined

  constructor(
    readonly headers: Readonly<Record<string, string>>,
    private readonly cert?: string,
  ) {}

  /** Resolves with the status at the end of the answer. @throws {Error} without an answer */
  async send(api: string, request: AdminRequest, onData: OnData): Promise<number> {
    // The index of undici would replace the agent of Node's fetch.
    const { default: Client } = await import('undici/lib/dispatcher/client.js')
    if (this.#closeMessage !== undefined) throw new Error(this.#closeMessage)
    const url = new URL(`${api}${request.path}`)
    const path = `${url.pathname}${url.search}`
    const headers = { ...this.headers, 'content-type': 'application/json' }
    const timeout = this.#hasAnswered ? undefined : CONNECT_TIMEOUT
    let client: Client | undefined
    try {
      const socket = await this.connect(url)
      // undici stops if it is called back at once.
      const connect: buildConnector.connector = (_, done) => void Promise.resolve(socket).then((one) => done(null, one))
      client = new Client(url.origin, { pipelining: 0, connect, headersTimeout: timeout, bodyTimeout: timeout })
      return await new Promise((resolve, reject) => {
        let status = 0
        client?.dispatch(
          { ...request, path, headers },
          {
            onRequestStart: () => {},
            onResponseStart: (_, code) => {
              status = code
              this.#hasAnswered = true
            },
            onResponseData: (_, data) => onData(data, status, socket),
            onResponseEnd: () => resolve(status),
            onResponseError: (_, error) => reject(error),
          },
        )
      })
    } catch (error) {
      if (this.#closeMessage !== undefined) throw new Error(this.#closeMessage)
      throw new Error(describeConnectionError(api, error as Error), { cause: error })
    } finally {
      void client?.destroy()
    }
  }

  /** Rejects running and later calls with the message. */
  close(message: string): void {
    this.#closeMessage ??= message
    for (const socket of this.#open) socket.destroy(new Error(message))
  }

  /** With `cert`, trusts no other certificate. @throws {Error} without a connection */
  async connect({ hostname, port, protocol }: URL): Promise<Socket> {
    const tls = protocol === 'https:' ? await import('node:tls') : undefined
    const host = hostname.replace(/^\[(.+)\]$/, '$1')
    const tcp = new net.Socket()
    this.#open.add(tcp.once('close', () => this.#open.delete(tcp)))
    tcp.setTimeout(CONNECT_TIMEOUT, () => tcp.destroy(new Error(`no connection within ${CONNECT_TIMEOUT} ms`)))
    connectSocket.call(tcp, { host, port: Number(port) || (tls ? 443 : 80) })
    const servername = net.isIP(host) === 0 ? host : ''
    // The fingerprint is compared below.
    const trust = this.cert === undefined ? {} : { rejectUnauthorized: false }
    const socket = tls?.connect({ socket: tcp, host, servername, ...trust }) ?? tcp
    // The socket may fail before undici listens.
    socket.on('error', () => {})
    await once(socket, tls ? 'secureConnect' : 'connect')
    tcp.setTimeout(0)
    if (this.cert === undefined) return socket
    const peer = (socket as TLSSocket).getPeerX509Certificate()
    if (peer?.fingerprint256 === new X509Certificate(this.cert).fingerprint256) return socket
    socket.destroy()
    throw new OtherCertificate()
  }
}

class OtherCertificate extends Error {}

function describeConnectionError(api: string, error: NodeJS.ErrnoException): string {
  const { code, message } = error
  if (error instanceof OtherCertificate)
    return `The server at ${api} has another certificate than the one that was passed. Check the URL.`
  if (/CERT|UNABLE_TO_|SIGNATURE/.test(`${code}`))
    return `The certificate of the server at ${api} was rejected (${code}). If you trust its authority, set NODE_EXTRA_CA_CERTS to the authority's file.`
  return `No server answers at ${api} (${code ?? message}). Start one, for example with 'npx countersign', and pass its URL.`
}
