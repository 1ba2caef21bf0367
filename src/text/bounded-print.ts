/** A stream as far as it matters here. */
interface Stream {
  /** Characters that wait to be taken. */
  readonly writableLength: number
  write(text: string): unknown
}

/** Characters that may wait for a reader; an unread pipe would otherwise collect them without limit. */
const MOST_WAITING = 1024 * 1024

/** Prints lines to a stream; skips lines while the stream is not being read, and says so. */
export function boundedPrint(stream: Stream): (line: string) => void {
  let skipped = 0
  return (line) => {
    if (stream.writableLength > MOST_WAITING) {
      skipped++
      return
    }
    const note = skipped > 0 ? `(${skipped} more lines were not printed: the output was not being read.)\n` : ''
    skipped = 0
    stream.write(`${note}${line}\n`)
  }
}
