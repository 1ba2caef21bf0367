import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** An answer's body without its encodings; the mock never encodes, a provider may. */
export function decoded(answer: IncomingMessage): Readable {
  const encodings = (answer.headers['content-encoding'] ?? '').split(',').map((one) => one.trim().toLowerCase())
  const steps = encodings.reverse().map((one) => decoders[one]?.())
  const known = steps.filter((one) => one !== undefined)
  if (known.length === 0 || known.length < steps.length) return answer
  return pipeline([answer, ...known], () => {}) as unknown as Readable
}
