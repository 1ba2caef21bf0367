import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** Bytes of an answer that are compared with the contract, as they are sent and decoded: some ten thousand records. */
const MOST_COMPARED = 4 * 1024 * 1024

/** What an answer says, or why that is not known. */
export interface DecodedBody {
  /** The beginning, if the body is too long; empty if it cannot be decoded. */
  readonly text: string
  /** Why the body is not compared with the contract; undefined if it is. */
  readonly unread?: string
}

/** Decodes a body as its Content-Encoding says. */
export function decodeBody(bytes: Buffer, contentEncoding: string): DecodedBody {
  const coding = contentEncoding.trim().toLowerCase()
  if (bytes.byteLength > MOST_COMPARED) {
    const text = coding === '' ? bytes.toString('utf8', 0, MOST_COMPARED) : ''
    return { text, unread: `it is longer than ${MOST_COMPARED / 1024 / 1024} MiB` }
  }
  const codings = coding === '' ? [] : coding.split(/\s*,\s*/).reverse()
  const unknown = codings.find((one) => !decoders.has(one))
  if (unknown !== undefined) return { text: '', unread: `its Content-Encoding '${unknown}' is not decoded` }
  try {
    return { text: codings.reduce((encoded, one) => (decoders.get(one) as Decode)(encoded), bytes).toString() }
  } catch (error) {
    const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    if (isLong) return { text: '', unread: `decoded, it is longer than ${MOST_COMPARED / 1024 / 1024} MiB` }
    // A body that is not encoded as declared is not JSON either.
    return { text: `not ${coding}, as declared: ${bytes.toString()}` }
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
