import type { UploadedFile } from '../../schemas/common.js'
import type { Pdf } from './pdf-kind.js'

/** Readers look for the header and the trailer within this many bytes of either end. */
const MARGIN = 1024

/** Whether bytes begin as a PDF does. */
export function isPdf(bytes: Uint8Array): boolean {
  return text(bytes, 0, MARGIN).includes('%PDF-')
}

/** What was found in the PDFs that were read last, by their sha256: the same bytes are read once. */
const found = new Map<string, Pdf>()
const MOST_FOUND = 1_000
const LONGEST_CODE = 1_000

/**
 * Tells a readable PDF from a damaged or an encrypted one, and reads the `DocumentCode` of its Info dictionary.
 * The reader is loaded when it is first needed: bytes that are known never need it.
 */
export async function inspectPdf({ content, sha256 }: Pick<UploadedFile, 'content' | 'sha256'>): Promise<Pdf> {
  if (!endsWell(content)) return { kind: 'damaged' }
  const known = found.get(sha256)
  if (known !== undefined) return known
  const { readPdf } = await import('./pdf-reader.js')
  const read = await readPdf(content)
  // How long it takes depends on the machine, too: what ran into a limit is tried again.
  if (read === undefined) return { kind: 'too costly to read' }
  remember(sha256, read)
  return read
}

function remember(sha256: string, pdf: Pdf): void {
  if (pdf.kind === 'readable' && (pdf.documentCode?.length ?? 0) > LONGEST_CODE) return
  const [oldest] = found.keys()
  if (found.size >= MOST_FOUND && oldest !== undefined) found.delete(oldest)
  found.set(sha256, pdf)
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
