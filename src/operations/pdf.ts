import { type Dictionary, readDictionary } from './pdf-dictionary.js'
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
  const code = dictionaryOf(bytes, trailer.get('Info'))?.get('DocumentCode')
  return { kind: 'readable', documentCode: code === undefined ? undefined : readString(code) }
}

/**
 * The last trailer, which repeats what the ones before it say. A whole PDF ends with the place of its cross-references,
 * where there are some: a lenient reader would guess.
 */
function trailerOf(bytes: Buffer): Dictionary | undefined {
  const end = text(bytes, bytes.length - MARGIN, bytes.length)
  const last = [...end.matchAll(/startxref\s+(\d+)\s+%%EOF/g)].at(-1)
  if (last === undefined) return undefined
  const place = Number(last[1]) + Math.max(0, text(bytes, 0, MARGIN).indexOf('%PDF-'))
  const [beginning, isTable] = /^\s*(?:(xref)|\d+\s+\d+\s+obj)/.exec(text(bytes, place, place + 64)) ?? []
  if (beginning === undefined) return undefined
  // A stream of cross-references says in its own dictionary what a trailer says.
  if (isTable === undefined) return dictionaryAt(bytes, place + beginning.length)
  const trailer = bytes.indexOf('trailer', place)
  return trailer < 0 ? undefined : dictionaryAt(bytes, trailer + 'trailer'.length)
}

/** The dictionary that a reference such as `6 0 R` names. Of several the last one counts: edits are put at the end. */
function dictionaryOf(bytes: Buffer, reference = ''): Dictionary | undefined {
  const [, number, generation] = /^(\d+) (\d+) R$/.exec(reference) ?? []
  if (number === undefined) return undefined
  const head = `${number} ${generation} obj`
  const place = lastPlaceOf(bytes, head)
  const compressed = findCompressedObject(bytes, number, place)
  if (compressed !== undefined) return dictionaryAt(compressed, 0)
  return place < 0 ? undefined : dictionaryAt(bytes, place + head.length)
}

/** Where the last `6 0 obj` is that is not the end of `16 0 obj`; -1 for none. */
function lastPlaceOf(bytes: Buffer, head: string): number {
  let place = bytes.lastIndexOf(head)
  while (place > 0 && /\d/.test(text(bytes, place - 1, place))) place = bytes.lastIndexOf(head, place - 1)
  return place
}

function dictionaryAt(bytes: Uint8Array, place: number): Dictionary | undefined {
  return readDictionary(text(bytes, place, place + LONGEST))
}

function text(bytes: Uint8Array, start: number, end: number): string {
  const from = Math.min(bytes.byteLength, Math.max(0, start))
  const to = Math.max(from, Math.min(bytes.byteLength, end))
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}
