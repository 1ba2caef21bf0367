import { ClientRequest, Agent as HttpAgent, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { readingToTheEnd } from './connection.js'
import { TimedOut, unreachable } from './failures.js'
import type { Target } from './target.js'

/** How long the provider is waited for, in milliseconds. */
export interface Patience {
  /**
   * For a connection, name look-up and TLS included. Any network of today has it in one; a lost packet costs one to
   * three more, and people who wait for a fallback have had enough after five.
   */
  readonly connect: number
  /**
   * For anything at all, once it is the provider's turn: the head of its answer after all of the request, each further
   * piece of the answer, or that it reads on. What gateways wait for varies from 30 to 60 s; the client's own limit is
   * mostly 30 s or more, and it should read the reason before it gives up.
   */
  readonly idle: number
}

export const PATIENCE: Patience = { connect: 5_000, idle: 30_000 }

/**
 * Milliseconds that a connection is kept without use: less than the 5 s after which Node and Apache close theirs, since
 * a request that crosses with the end of its connection is lost. Where the provider announces less, Node heeds it.
 */
const KEPT = 4_000
/** Beyond any real use; a provider that leads back here ends in 504 instead of running out of descriptors. */
const MOST_CONNECTIONS = 1_000
/** Bytes of the head of an answer: four times what most servers and clients take. */
const LONGEST_HEAD = 64 * 1024

/** The head of a request as it goes over the wire. */
export interface RequestHead {
  readonly method: string
  readonly path: string
  /** Names and values in turn; all of them, `Host` and the framing of the body too. */
  readonly headers: readonly string[]
}

/** Connections to providers, which are kept while they are used. */
export class ProviderClient {
  readonly patience: Patience
  readonly #agents: { readonly [P in Target['protocol']]: HttpAgent }
  /** Connections that have carried a request. */
  readonly #used = new WeakSet<Socket>()

  constructor(patience: Patience = PATIENCE) {
    const options = { keepAlive: true, timeout: KEPT, maxSockets: MOST_CONNECTIONS, scheduling: 'lifo' } as const
    this.patience = patience
    this.#agents = {
      'http:': readingToTheEnd(new HttpAgent(options)),
      'https:': readingToTheEnd(new HttpsAgent(options)),
    }
  }

  /**
   * A request whose connection stands; nothing of it is sent yet. `isReused` tells that the connection was kept, so that
   * its end may have been on its way already.
   * @throws {Unreachable} where no connection comes about
   */
  async connect(
    target: Target,
    { method, path, headers }: RequestHead,
  ): Promise<{ readonly request: ClientRequest; readonly isReused: boolean }> {
    for (;;) {
      const request = new BareRequest({
        agent: this.#agents[target.protocol],
        protocol: target.protocol,
        host: target.hostname,
        port: target.port,
        method,
        path,
        setHost: false,
        headers: headers as unknown as RequestOptions['headers'],
        maxHeaderSize: LONGEST_HEAD,
        timeout: this.patience.idle,
      })
      request.maxHeadersCount = 0
      // However late it fails: whoever waits for it has listeners of its own.
      request.on('error', () => {})
      let socket: Socket | undefined
      try {
        socket = await this.#connected(request)
        const isReused = this.#used.has(socket)
        this.#used.add(socket)
        return { request, isReused }
      } catch (error) {
        const wasKept = request.socket !== null && this.#used.has(request.socket)
        request.destroy()
        // Nothing was sent on it: the next one is as good.
        if (!wasKept) throw unreachable(target, error as Error)
      }
    }
  }

  #connected(request: ClientRequest): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new TimedOut(this.patience.connect)), this.patience.connect)
      const fail = (error: Error) => {
        clearTimeout(timer)
        reject(error)
      }
      request.once('error', fail)
      request.once('socket', (socket) => {
        const ready = () => {
          clearTimeout(timer)
          request.off('error', fail)
          resolve(socket)
        }
        if (isConnecting(socket)) socket.once(isSecure(socket) ? 'secureConnect' : 'connect', ready)
        // An end that has arrived meanwhile is seen within this turn of the event loop.
        else setImmediate(ready)
      })
    })
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

/** A request with the headers that it is given, and none that Node would add for a body by the method. */
class BareRequest extends ClientRequest {
  constructor(options: RequestOptions) {
    super(options as never)
  }
}

Object.defineProperty(BareRequest.prototype, 'useChunkedEncodingByDefault', { get: () => false, set: () => {} })

function isConnecting(socket: Socket): boolean {
  return socket.connecting || (socket as Partial<TLSSocket> & { secureConnecting?: boolean }).secureConnecting === true
}

function isSecure(socket: Socket): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true
}
