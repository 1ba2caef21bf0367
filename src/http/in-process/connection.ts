import { Duplex } from 'node:stream'

type Done = (error?: Error | null) => void

/** One end of a connection within this process; what is written at one end is read at the other. */
export class ConnectionEnd extends Duplex {
  #other: ConnectionEnd | undefined
  /** The write of the other end that goes on as soon as this end reads. */
  #written: Done | undefined
  readonly #ended: (other: ConnectionEnd) => void

  private constructor(ended: (other: ConnectionEnd) => void) {
    super()
    this.#ended = ended
  }

  /** The two ends of a new connection. */
  static pair(): { readonly client: ConnectionEnd; readonly server: ConnectionEnd } {
    // A server notices at once that its client left; a client still reads what was written before the server did.
    const client = new ConnectionEnd((server) => server.destroy())
    const server = new ConnectionEnd((client) => client.push(null))
    client.#other = server
    server.#other = client
    return { client, server }
  }

  /** As a socket has it: the other end reads an error instead of an end. */
  resetAndDestroy(): this {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
    this.#other?.destroy(reset)
    return this.destroy()
  }

  override _read(): void {
    const done = this.#written
    this.#written = undefined
    done?.()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    const other = this.#other as ConnectionEnd
    // Nobody reads it any more, as behind a closed connection.
    if (other.destroyed || other.readableEnded) return done()
    other.#written = done
    other.push(chunk)
  }

  override _final(done: Done): void {
    const other = this.#other as ConnectionEnd
    if (!other.destroyed && !other.readableEnded) other.push(null)
    done()
  }

  /** As a socket has it: what was written is still read, and nothing more. */
  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  override _destroy(error: Error | null, done: Done): void {
    const other = this.#other as ConnectionEnd
    for (const end of [this, other]) {
      const release = end.#written
      end.#written = undefined
      release?.()
    }
    if (!other.destroyed && !other.readableEnded && !this.writableFinished) this.#ended(other)
    done(error)
  }
}
