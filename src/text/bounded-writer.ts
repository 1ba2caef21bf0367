/** A stream as far as it matters here. */
interface Stream {
  /** Characters that wait to be taken. */
  readonly writableLength: number
  write(text: string): unknown
}

/** Characters that may wait for a reader; a pipe that nobody reads would gather them without end. */
const MOST_WAITING = 1024 * 1024

/** Writes lines to a stream; those that nobody would read are left out, and it says so. */
export class BoundedWriter {
  readonly #stream: Stream
  #leftOut = 0

  constructor(stream: Stream) {
    this.#stream = stream
  }

  readonly write = (text: string): void => {
    if (this.#stream.writableLength > MOST_WAITING) {
      this.#leftOut++
      return
    }
    const note = this.#leftOut === 0 ? '' : `(${this.#leftOut} more were not printed: nobody was reading.)\n`
    this.#leftOut = 0
    this.#stream.write(`${note}${text}\n`)
  }
}
