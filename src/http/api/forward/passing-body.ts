import { PassThrough, type Readable } from 'node:stream'
import { announcesBody, passBody } from '../../body.js'
import type { StepContext } from '../step-context.js'

/** A request's body on its way to the provider, and a copy of it within the limit of bodies. */
export class PassingBody {
  /** What is sent: as it comes, or whole where it was received before; null where there is none. */
  readonly sent: Readable | Buffer | null
  /** Resolves when all of it has come. */
  readonly #passed: Promise<void>
  readonly #limit: number
  #copy: Buffer[] = []
  #size = 0
  #ended = false

  constructor({ request: { raw, bytes }, world }: StepContext) {
    this.#limit = world.settings.bodyLimit
    const stream = bytes === null && announcesBody(raw) ? new PassThrough() : null
    this.sent = bytes ?? stream
    if (bytes !== null) this.#keep(bytes)
    this.#ended = stream === null
    this.#passed = Promise.resolve()
    if (stream === null) return
    // The provider may be done with it before the client is.
    stream.once('close', () => raw.resume())
    this.#passed = passBody(raw, (piece) => {
      this.#keep(piece)
      if (stream.destroyed || stream.write(piece)) return
      raw.pause()
      stream.once('drain', () => raw.resume())
    }).then(
      () => {
        this.#ended = true
        stream.end()
      },
      (why: Error) => {
        stream.destroy(why)
        throw why
      },
    )
    // Whoever sends it hears of it by the stream; it may fail before anybody does.
    this.#passed.catch(() => {})
    stream.on('error', () => {})
  }

  #keep(piece: Buffer): void {
    this.#size += piece.byteLength
    if (this.#size > this.#limit) this.#copy = []
    else this.#copy.push(piece)
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  /** All of it; undefined before its end, and where it is longer than is kept. */
  get whole(): Buffer | undefined {
    return this.#ended && this.#size <= this.#limit ? Buffer.concat(this.#copy) : undefined
  }

  /**
   * All of it, once it has come; undefined where it is longer than is kept.
   * @throws {ClientLeft} where not all of it comes
   */
  async end(): Promise<Buffer | undefined> {
    await this.#passed
    return this.whole
  }
}
