import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/**
 * Bytes of an answer that are compared with the contract, as they are sent and decoded alike: some ten thousand records
 * of a list. What is longer streams on, and is not compared.
 */
const MOST_COMPARED = 4 * 1024 * 1024

/** What an answer says, or why that is not known. */
export interface Said {
  /** Its beginning, where not all of it is kept; empty where it cannot be decoded. */
  readonly text: string
  /** Why it is not compared with the contract; undefined where it is. */
  readonly unread?: string
}

/** A bounded copy of an answer that streams by. */
export class AnswerCopy {
  readonly #coding: string
  #chunks: Buffer[] = []
  /** Bytes so far, those that are not kept included. */
  size = 0

  constructor(contentEncoding: string) {
    this.#coding = contentEncoding.trim().toLowerCase()
  }

  add(chunk: Buffer): void {
    this.size += chunk.byteLength
    if (this.size <= MOST_COMPARED) this.#chunks.push(chunk)
    else this.#chunks = this.#chunks.slice(0, 1)
  }

  /** The text of what was sent, decoded. */
  read(): Said {
    const [first] = this.#chunks
    const bytes = this.#chunks.length === 1 ? (first as Buffer) : Buffer.concat(this.#chunks)
    if (this.size > MOST_COMPARED) {
      const text = this.#coding === '' ? bytes.toString() : ''
      return { text, unread: `it is longer than ${MOST_COMPARED / 1024 / 1024} MiB` }
    }
    const codings = this.#coding === '' ? [] : this.#coding.split(/\s*,\s*/).reverse()
    const unknown = codings.find((coding) => !decoders.has(coding))
    if (unknown !== undefined) return { text: '', unread: `its Content-Encoding '${unknown}' is not decoded` }
    try {
      return { text: codings.reduce((encoded, coding) => (decoders.get(coding) as Decode)(encoded), bytes).toString() }
    } catch (error) {
      const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      if (isLong) return { text: '', unread: `decoded, it is longer than ${MOST_COMPARED / 1024 / 1024} MiB` }
      // What is declared as encoded and is not is no JSON either.
      return { text: `not ${this.#coding}, as declared: ${bytes.toString()}` }
    }
  }
}

type Decode = (bytes: Buffer) => Buffer

const options = { maxOutputLength: MOST_COMPARED }

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['identity', (bytes) => bytes],
  ['gzip', (bytes) => gunzipSync(bytes, options)],
  ['x-gzip', (bytes) => gunzipSync(bytes, options)],
  // Some servers leave the wrapper out.
  ['deflate', (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options))],
  ['br', (bytes) => brotliDecompressSync(bytes, options)],
])
