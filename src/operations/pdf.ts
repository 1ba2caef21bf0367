/** What is known of a PDF's bytes. */
export type Pdf =
  | { readonly kind: 'damaged' | 'encrypted' }
  | { readonly kind: 'readable'; readonly documentCode: string | undefined }

/** Readers look for the header and for the end within this many bytes of either end. */
const MARGIN = 1024

/** Whether bytes begin as a PDF does. */
export function isPdf(bytes: Uint8Array): boolean {
  return latin1(bytes.subarray(0, MARGIN)).includes('%PDF-')
}

/**
 * Tells a whole PDF from a damaged or an encrypted one by its last trailer, and reads the last `DocumentCode` that stands
 * in plain text. No page is looked at.
 */
export function inspectPdf(bytes: Uint8Array): Pdf {
  const text = latin1(bytes)
  const trailer = trailerOf(text)
  if (trailer === undefined) return { kind: 'damaged' }
  if (/\/Encrypt\b/.test(trailer)) return { kind: 'encrypted' }
  const codes = [...text.matchAll(/\/DocumentCode\s*\(([^()\\]*)\)/g)]
  return { kind: 'readable', documentCode: codes.at(-1)?.[1] }
}

/** A whole PDF ends with the place of its cross-references: a table with a trailer, or a stream whose dictionary is one. */
function trailerOf(text: string): string | undefined {
  const said = [...text.slice(-MARGIN).matchAll(/startxref\s+(\d+)\s+%%EOF/g)].at(-1)?.[1]
  if (said === undefined) return undefined
  const references = text.slice(Number(said) + Math.max(0, text.slice(0, MARGIN).indexOf('%PDF-')))
  const begins = /^\s*(?:xref|\d+\s+\d+\s+obj)/.test(references)
  const trailer = references.slice(0, Math.max(0, references.search(/startxref|stream/)))
  const isWhole = begins && /\/Root\b/.test(trailer) && trailer.trimEnd().endsWith('>>')
  return isWhole && (trailer.includes('trailer') || !trailer.includes('xref')) ? trailer : undefined
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}
