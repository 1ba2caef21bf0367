import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** Bytes of an answer that are compared with the contract, as they are sent and decoded: some ten thousand records. */
const MOST_COMPARED = 4 * 1024 * 1024
const TOO_LONG = `it is longer than ${MOST_COMPARED / 1024 / 1024} MiB`

type Decode = (bytes: Buffer) => Buffer

const options = { maxOutputLength: MOST_COMPARED }
const gunzip: Decode = (bytes) => gunzipSync(bytes, options)

const DECODERS: Readonly<Record<string, Decode | undefined>> = {
  '': (bytes) => bytes,
  identity: (bytes) => bytes,
  gzip: gunzip,
  'x-gzip': gunzip,
  // Some servers leave the wrapper out.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)),
  br: (bytes) => brotliDecompressSync(bytes, options),
}

/** The text of a body, as its Content-Encoding says, or why it is not compared with the contract. */
export function decodeBody(
  bytes: Buffer,
  contentEncoding: string,
): { readonly text: string; readonly unread?: string } {
  const codings = contentEncoding
    .trim()
    .toLowerCase()
    .split(/\s*,\s*/)
    .reverse()
  const unknown = codings.find((one) => DECODERS[one] === undefined)
  if (unknown !== undefined) return { text: '', unread: `its Content-Encoding '${unknown}' is not decoded` }
  if (bytes.byteLength > MOST_COMPARED)
    return { text: codings[0] === '' ? bytes.toString('utf8', 0, MOST_COMPARED) : '', unread: TOO_LONG }
  try {
    return { text: String(codings.reduce((encoded, one) => (DECODERS[one] as Decode)(encoded), bytes)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { text: '', unread: TOO_LONG }
    // A body that is not encoded as declared is not JSON either.
    return { text: `not ${contentEncoding}, as declared: ${bytes.toString()}` }
  }
}
