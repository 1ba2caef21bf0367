import type { RequestListener } from 'node:http'
import { createServer, type Server, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** The first byte of TLS: a handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 0x16

/** Milliseconds that a client may take until it has begun to speak. */
const PATIENCE = 8_000

/** Calls back with connections that speak something else than TLS, of which nothing has been read. */
type OnPlain = (socket: Socket) => void

/** Servers that speak TLS, and tell apart who does not: Node would close such a connection without a word. */
export class TlsServers {
  readonly #silent = new Set<Socket>()
  /** The sockets beneath TLS, by their peers. */
  readonly #sockets = new Map<string, Socket>()
  readonly #pair: Pick<ServerOptions, 'cert' | 'key'>

  constructor(pair: Pick<ServerOptions, 'cert' | 'key'>) {
    this.#pair = pair
  }

  create(handler: RequestListener, options: ServerOptions, onPlain: OnPlain): Server {
    const server = createServer({ ...options, ...this.#pair }, handler)
    const begin = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      this.#silent.add(socket)
      socket.on('error', () => {}).setTimeout(PATIENCE, () => socket.destroy())
      socket.once('close', () => this.#silent.delete(socket))
      socket.once('readable', () => {
        const first: Buffer | null = socket.read(1)
        // It ended before it said anything.
        if (first === null) return
        socket.unshift(first)
        this.#silent.delete(socket)
        socket.setTimeout(0)
        if (first[0] !== HANDSHAKE) onPlain(socket)
        else {
          const peer = peerOf(socket)
          this.#sockets.set(peer, socket)
          socket.once('close', () => this.#sockets.delete(peer))
          for (const listener of begin) listener.call(server, socket)
        }
      })
    })
    server.on('secureConnection', (secure) => this.#letReset(secure))
    return server
  }

  /** Node resets a plain connection alone. */
  #letReset(secure: TLSSocket): void {
    const beneath = this.#sockets.get(peerOf(secure))
    const resetAndDestroy = () => {
      beneath?.resetAndDestroy()
      return secure.destroy()
    }
    Object.assign(secure, { resetAndDestroy })
  }

  /** Ends the connections that have said nothing yet: a server that closes would wait for them. */
  endSilent(): void {
    for (const socket of this.#silent) socket.destroy()
  }
}

const peerOf = ({ remoteAddress, remotePort, localPort }: Socket) => `${remoteAddress} ${remotePort} ${localPort}`
