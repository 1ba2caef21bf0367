import { type Dictionary, readDictionary, tokensOf } from './pdf-dictionary.js'
import { findCompressedObject } from './pdf-object-streams.js'
import { readString } from './pdf-string.js'

/** What is known of a PDF's bytes. */
export type Pdf =
  | { readonly kind: 'damaged' | 'encrypted' }
  | { readonly kind: 'readable'; readonly documentCode: string | undefined }

/** Readers look for the header and for the end within this many bytes of either end. */
const MARGIN = 1024

/** Bytes of the longest dictionary that is read. */
const LONGEST = 64 * 1024

/** Whether bytes begin as a PDF does. */
export function isPdf(bytes: Uint8Array): boolean {
  return text(bytes, 0, MARGIN).includes('%PDF-')
}

/**
 * Tells a whole PDF from a damaged or an encrypted one by its trailer, and reads the `DocumentCode` of its Info
 * dictionary. No page is looked at, and the time that it takes is bounded by the size of the file.
 */
export function inspectPdf(content: Uint8Array): Pdf {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const trailer = trailerOf(bytes)
  if (!trailer?.has('Root')) return { kind: 'damaged' }
  if (trailer.has('Encrypt')) return { kind: 'encrypted' }
  const info = readDictionary(resolve(bytes, trailer.get('Info')))
  const [code = ''] = tokensOf(resolve(bytes, info?.get('DocumentCode')))
  return { kind: 'readable', documentCode: readString(code) }
}

/**
 * The last trailer, which repeats what the ones before it say. A whole PDF ends with the place of its cross-references,
 * where there are some, and so it is with the ones before them: a lenient reader would guess.
 */
function trailerOf(bytes: Buffer): Dictionary | undefined {
  const end = text(bytes, bytes.length - MARGIN, bytes.length)
  const last = [...end.matchAll(/startxref\s+(\d+)\s+%%EOF/g)].at(-1)
  const place = last === undefined ? undefined : trailerAt(bytes, Number(last[1]))
  const trailer = place === undefined ? undefined : readDictionary(text(bytes, place, place + LONGEST))
  const before = Number(trailer?.get('Prev') ?? 0)
  return before > 0 && trailerAt(bytes, before) === undefined ? undefined : trailer
}

/** Where the dictionary of the trailer is whose cross-references are said to be at a place; undefined where there are none. */
function trailerAt(bytes: Buffer, said: number): number | undefined {
  const place = said + Math.max(0, text(bytes, 0, MARGIN).indexOf('%PDF-'))
  const [beginning, isTable] = /^\s*(?:(xref)|\d+\s+\d+\s+obj)/.exec(text(bytes, place, place + 64)) ?? []
  if (beginning === undefined) return undefined
  // A stream of cross-references says in its own dictionary what a trailer says.
  if (isTable === undefined) return place + beginning.length
  const trailer = bytes.indexOf('trailer', place)
  return trailer < 0 ? undefined : trailer + 'trailer'.length
}

/**
 * A value as it is written; for a reference such as `6 0 R`, how the object begins that it names. Of several the last one
 * counts: edits are put at the end.
 */
function resolve(bytes: Buffer, value = ''): string {
  const [, number, generation] = /^(\d+) (\d+) R$/.exec(value) ?? []
  if (number === undefined) return value
  const head = `${number} ${generation} obj`
  // With what stands before it, since `16 0 obj` ends in `6 0 obj`.
  const place = Math.max(...['\n', '\r', ' '].map((blank) => bytes.lastIndexOf(blank + head)))
  const compressed = findCompressedObject(bytes, number, place)
  if (compressed !== undefined) return text(compressed, 0, LONGEST)
  return place < 0 ? '' : text(bytes, place + 1 + head.length, place + LONGEST)
}

function text(bytes: Uint8Array, start: number, end: number): string {
  const from = Math.min(bytes.byteLength, Math.max(0, start))
  const to = Math.max(from, Math.min(bytes.byteLength, end))
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}
