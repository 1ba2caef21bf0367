import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'

/** Bytes of an answer, sent and decoded, that are compared with the contract: some ten thousand records. */
const MOST_COMPARED = 4 * 1024 * 1024
const TOO_LONG = `it is longer than ${MOST_COMPARED / 1024 / 1024} MiB`

type Decode = (bytes: Buffer) => Buffer

const options = { maxOutputLength: MOST_COMPARED }
const keep: Decode = (bytes) => bytes
const unzip: Decode = (bytes) => unzipSync(bytes, options)

const DECODERS: Readonly<Record<string, Decode | undefined>> = {
  '': keep,
  identity: keep,
  gzip: unzip,
  'x-gzip': unzip,
  // Some servers leave the zlib wrapper out.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? unzip(bytes) : inflateRawSync(bytes, options)),
  br: (bytes) => brotliDecompressSync(bytes, options),
}

/** The text of a body; `unread` says why it is not compared with the contract. */
export function decodeBody(bytes: Buffer, contentEncoding: string): { text: string; unread?: string } {
  const name = contentEncoding.trim().toLowerCase()
  const decode = DECODERS[name]
  if (decode === undefined) return { text: '', unread: `its Content-Encoding '${name}' is not decoded` }
  if (bytes.byteLength > MOST_COMPARED)
    return { text: name === '' ? bytes.toString('utf8', 0, MOST_COMPARED) : '', unread: TOO_LONG }
  try {
    return { text: String(decode(bytes)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { text: '', unread: TOO_LONG }
    return { text: `not ${contentEncoding}, as declared: ${bytes.toString()}` }
  }
}
