/// <reference path="./undici.d.ts" />
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { buildConnector, Client, Dispatcher } from 'undici'

export type AdminRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'body' | 'bodyTimeout'>
export type OnData = (data: Buffer, status: number, socket: Socket) => void

/** Milliseconds for a connection, and for the first answer. */
const CONNECT_TIMEOUT = 10_000

/** Kept before interceptors replace it. */
const connectSocket = net.Socket.prototype.connect as (this: Socket, to: net.TcpSocketConnectOpts) => Socket

/** Each call has its connection: an idle one would delay the server's `close` or need a timer that a test may fake. */
export class AdminClient {
  readonly #open = new Set<Socket>()
  #hasAnswered = false
  /** The message of later calls. */
  #closed: string | undefined

  constructor(
    readonly headers: Readonly<Record<string, string>>,
    private readonly cert?: string,
  ) {}

  /** Resolves with the status at the end of the answer. @throws {Error} without an answer */
  async send(api: string, request: AdminRequest, onData: OnData): Promise<number> {
    // The index of undici would make its own agent that of Node's fetch.
    const { default: Client } = await import('undici/lib/dispatcher/client.js')
    if (this.#closed !== undefined) throw new Error(this.#closed)
    const url = new URL(`${api}${request.path}`)
    const path = `${url.pathname}${url.search}`
    const headers = { ...this.headers, 'content-type': 'application/json' }
    const timeout = this.#hasAnswered ? undefined : CONNECT_TIMEOUT
    let client: Client | undefined
    try {
      const socket = await this.connect(url)
      // Undici stops if it is called back at once.
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
      throw this.#closed === undefined ? unanswered(api, error as Error) : new Error(this.#closed)
    } finally {
      void client?.destroy()
    }
  }

  /** Running and later calls are rejected with this message. */
  close(message: string): void {
    this.#closed ??= message
    for (const socket of this.#open) socket.destroy(new Error(message))
  }

  /** With `cert`, it trusts no other. @throws {Error} without a connection */
  async connect({ hostname, port, protocol }: URL): Promise<Socket> {
    const tls = protocol === 'https:' ? await import('node:tls') : undefined
    const host = hostname.replace(/^\[(.+)\]$/, '$1')
    const plain = new net.Socket()
    this.#open.add(plain.once('close', () => this.#open.delete(plain)))
    plain.setTimeout(CONNECT_TIMEOUT, () => plain.destroy(new Error(`no connection within ${CONNECT_TIMEOUT} ms`)))
    connectSocket.call(plain, { host, port: Number(port) || (tls ? 443 : 80) })
    const servername = net.isIP(host) === 0 ? host : ''
    const trust = this.cert === undefined ? {} : { rejectUnauthorized: false }
    const socket = tls?.connect({ socket: plain, host, servername, ...trust }) ?? plain
    // It may be closed before undici listens.
    socket.on('error', () => {})
    await once(socket, tls ? 'secureConnect' : 'connect')
    plain.setTimeout(0)
    if (this.cert === undefined) return socket
    const peer = (socket as TLSSocket).getPeerX509Certificate()
    if (peer?.fingerprint256 === new X509Certificate(this.cert).fingerprint256) return socket
    socket.destroy()
    throw new OtherCertificate()
  }
}

class OtherCertificate extends Error {}

function unanswered(api: string, cause: Error): Error {
  const { code, message } = cause as NodeJS.ErrnoException
  if (cause instanceof OtherCertificate)
    return new Error(`The server at ${api} has another certificate than the one that was passed. Check the URL.`, {
      cause,
    })
  if (/CERT|UNABLE_TO_|SIGNATURE/.test(`${code}`))
    return new Error(
      `The certificate of the server at ${api} is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to the file of the authority that issued it.`,
      { cause },
    )
  return new Error(
    `No server answers at ${api} (${code ?? message}). Start one, for example with 'npx countersign', and pass its URL.`,
    { cause },
  )
}
