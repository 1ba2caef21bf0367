import { Readable } from 'node:stream'
import type { ScenarioAnswer } from '../../../../schemas/scenario.js'

/** A body in pieces: the first leaves at once, and the last when the duration is over. */
export class Dribble extends Readable {
  readonly #pieces: Buffer[] = []
  readonly #pause: number
  /** Milliseconds before the next piece. */
  #wait: number
  #timer: NodeJS.Timeout | undefined

  constructor(
    readonly bytes: Buffer,
    { chunks, duration }: NonNullable<ScenarioAnswer['dribble']>,
  ) {
    super()
    const size = Math.max(1, Math.ceil(bytes.byteLength / chunks))
    for (let at = 0; at < bytes.byteLength; at += size) this.#pieces.push(bytes.subarray(at, at + size))
    this.#pause = duration / Math.max(1, this.#pieces.length - 1)
    this.#wait = this.#pieces.length > 1 ? 0 : this.#pause
  }

  override _read(): void {
    this.#timer ??= setTimeout(() => this.#next(), this.#wait)
    this.#wait = this.#pause
  }

  #next(): void {
    this.#timer = undefined
    this.push(this.#pieces.shift() ?? null)
    if (this.#pieces.length === 0) this.push(null)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    done(error)
  }

  /** As the journal keeps it. */
  override toString(): string {
    return String(this.bytes)
  }
}
