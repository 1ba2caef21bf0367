/** A stream as far as it matters here. */
interface Stream {
  /** Characters that wait to be taken. */
  readonly writableLength: number
  write(text: string): unknown
}

/** Characters that may wait for a reader; an unread pipe would otherwise collect them without limit. */
const MOST_WAITING = 1024 * 1024
/** Milliseconds in which lines are gathered: each write costs more than the line. */
const PAUSE = 20

/** Writes lines to a stream, several at a time; skips lines while the stream is not being read, and says so. */
export class BoundedWriter {
  readonly #stream: Stream
  #lines: string[] = []
  #waiting = 0
  #leftOut = 0
  #timer: NodeJS.Timeout | undefined

  constructor(stream: Stream) {
    this.#stream = stream
  }

  readonly write = (text: string): void => {
    if (this.#stream.writableLength + this.#waiting > MOST_WAITING) {
      this.#leftOut++
      return
    }
    if (this.#leftOut > 0)
      this.#lines.push(`(${this.#leftOut} more lines were not printed: the output was not being read.)`)
    this.#leftOut = 0
    this.#lines.push(text)
    this.#waiting += text.length
    this.#timer ??= setTimeout(this.flush, PAUSE)
  }

  /** Writes what has been gathered. */
  readonly flush = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lines.length === 0) return
    const text = `${this.#lines.join('\n')}\n`
    this.#lines = []
    this.#waiting = 0
    this.#stream.write(text)
  }
}
