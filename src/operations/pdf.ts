import type { Pdf } from './pdf-kind.js'

/** Readers look for the header and the trailer within this many bytes of either end. */
const MARGIN = 1024

/** Whether bytes begin as a PDF does. */
export function isPdf(bytes: Uint8Array): boolean {
  return text(bytes, 0, MARGIN).includes('%PDF-')
}

/**
 * Tells a readable PDF from a damaged or an encrypted one, and reads the `DocumentCode` of its Info dictionary.
 * The reader is loaded when it is first needed: bytes that are known never need it.
 */
export async function inspectPdf(bytes: Uint8Array): Promise<Pdf> {
  if (!endsWell(bytes)) return { kind: 'damaged' }
  const { readPdf } = await import('./pdf-reader.js')
  return (await readPdf(bytes)) ?? { kind: 'too costly to read' }
}

/** A whole PDF ends with the place of its cross-references, where there are some: a lenient reader would guess. */
function endsWell(bytes: Uint8Array): boolean {
  const end = text(bytes, bytes.byteLength - MARGIN, bytes.byteLength)
  const trailer = [...end.matchAll(/startxref\s+(\d+)\s+%%EOF/g)].at(-1)
  if (trailer === undefined) return false
  const place = Number(trailer[1]) + Math.max(0, text(bytes, 0, MARGIN).indexOf('%PDF-'))
  return /^\s*(xref|\d+\s+\d+\s+obj)/.test(text(bytes, place, place + 64))
}

function text(bytes: Uint8Array, start: number, end: number): string {
  const from = Math.min(bytes.byteLength, Math.max(0, start))
  const to = Math.max(from, Math.min(bytes.byteLength, end))
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}
