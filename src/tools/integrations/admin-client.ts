import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { buildConnector, Client, Dispatcher } from 'undici'

export interface AdminClientOptions {
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>
  /** The only certificate to trust, in PEM; without it, Node decides. */
  readonly cert?: string | undefined
}

export interface AdminCall {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

type OnData = (data: Buffer, status: number, socket: Socket) => void

/** Milliseconds to wait for a connection, and for the answer to the first call. */
const PATIENCE = 10_000

/** Node's own, kept before tools that intercept connections replace it. */
const connectSocket = net.Socket.prototype.connect as (this: Socket, to: net.TcpSocketConnectOpts) => Socket

/**
 * Calls the admin API of one server. Each call has its own connection: no idle one keeps the process alive, delays the
 * server's `close`, or waits for a timer that a test has faked.
 */
export class AdminClient {
  readonly headers: Readonly<Record<string, string>>
  readonly #cert: string | undefined
  /** Those that are not closed yet. */
  readonly #sockets = new Set<Socket>()
  #hasAnswered = false
  /** The message of calls after `close`. */
  #closed: string | undefined

  constructor({ headers, cert }: AdminClientOptions) {
    this.headers = headers
    this.#cert = cert
  }

  /** @throws {Error} if no server answers, or the client is closed */
  async call(api: string, path: string, call: AdminCall): Promise<{ readonly status: number; readonly text: string }> {
    const timeout = this.#hasAnswered ? undefined : PATIENCE
    const chunks: Buffer[] = []
    const status = await this.#send(api, path, call, timeout, (data) => chunks.push(data))
    this.#hasAnswered = true
    return { status, text: Buffer.concat(chunks).toString() }
  }

  /**
   * Passes on the events of a sandbox as text. Resolves when the first has come, with a function that ends it. Listening
   * does not keep the process alive.
   * @throws {Error} if no server answers, or the client is closed
   */
  listen(api: string, onText: (text: string) => void): Promise<() => void> {
    const decoder = new TextDecoder()
    return new Promise((resolve, reject) => {
      const onData: OnData = (data, status, socket) => {
        if (status !== 200) return
        socket.unref()
        resolve(() => socket.destroy())
        onText(decoder.decode(data, { stream: true }))
      }
      const ended = this.#send(api, '/events', { method: 'GET' }, 0, onData)
      ended.then((status) => reject(new Error(`${api}/events answers ${status}.`)), reject)
    })
  }

  /** Ends all calls; these and later ones are rejected with this message. */
  close(message: string): void {
    this.#closed ??= message
    for (const socket of this.#sockets) socket.destroy(new Error(message))
  }

  /** Resolves with the status when the answer has ended. */
  async #send(
    api: string,
    path: string,
    call: AdminCall,
    timeout: number | undefined,
    onData: OnData,
  ): Promise<number> {
    // The index of undici would make its own agent that of Node's fetch.
    const { default: Client } = await import('undici/lib/dispatcher/client.js')
    if (this.#closed !== undefined) throw new Error(this.#closed)
    const url = new URL(`${api}${path}`)
    const request = { ...call, path: `${url.pathname}${url.search}`, headers: { ...call.headers, ...this.headers } }
    let client: Client | undefined
    try {
      const socket = await this.#connect(url)
      // Undici does not go on if it is called back at once.
      const connect: buildConnector.connector = (_, done) => void Promise.resolve(socket).then((one) => done(null, one))
      client = new Client(url.origin, { pipelining: 0, connect, headersTimeout: timeout, bodyTimeout: timeout })
      return await exchange(client, request, (data, status) => onData(data, status, socket))
    } catch (error) {
      throw this.#closed === undefined ? unanswered(api, error as Error) : new Error(this.#closed)
    } finally {
      void client?.destroy()
    }
  }

  /** @throws {Error} if there is no connection, or the server has another certificate than its own */
  async #connect({ hostname, port, protocol }: URL): Promise<Socket> {
    const tls = protocol === 'https:' ? await import('node:tls') : undefined
    const host = hostname.replace(/^\[(.+)\]$/, '$1')
    const plain = new net.Socket()
    this.#sockets.add(plain.once('close', () => this.#sockets.delete(plain)))
    plain.setTimeout(PATIENCE, () => plain.destroy(new Error(`no connection within ${PATIENCE} ms`)))
    connectSocket.call(plain, { host, port: Number(port) || (tls ? 443 : 80) })
    const servername = net.isIP(host) === 0 ? host : ''
    const trust = this.#cert === undefined ? {} : { rejectUnauthorized: false }
    const socket = tls?.connect({ socket: plain, host, servername, ...trust }) ?? plain
    // It may be closed before undici listens.
    socket.on('error', () => {})
    await once(socket, tls ? 'secureConnect' : 'connect')
    plain.setTimeout(0)
    if (this.#cert === undefined || hasCertificate(socket as TLSSocket, this.#cert)) return socket
    socket.destroy()
    throw new Error('its certificate is not the one that it was started with')
  }
}

/** Sends a request and resolves with the status when the answer has ended. */
function exchange(
  client: Client,
  request: Dispatcher.DispatchOptions,
  onData: (data: Buffer, status: number) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0
    client.dispatch(request, {
      onRequestStart: () => {},
      onResponseStart: (_, code) => {
        status = code
      },
      onResponseData: (_, data) => onData(data, status),
      onResponseEnd: () => resolve(status),
      onResponseError: (_, error) => reject(error),
    })
  })
}

function hasCertificate(socket: TLSSocket, cert: string): boolean {
  return socket.getPeerX509Certificate()?.fingerprint256 === new X509Certificate(cert).fingerprint256
}

/** The error if no server answers; says how to start one. */
function unanswered(api: string, error: Error): Error {
  const { code, message } = error as NodeJS.ErrnoException
  return new Error(
    `No server answers at ${api} (${code ?? message}). Start one, for example with 'npx countersign', and pass its URL.`,
    { cause: error },
  )
}
