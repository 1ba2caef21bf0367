/** Readers look for the header within this many bytes. */
const MARGIN = 1024

export function isPdf(bytes: Uint8Array): boolean {
  return asBuffer(bytes.subarray(0, MARGIN)).includes('%PDF-')
}

/** True for a PDF without the marks of its end, as of a cut upload. No PDF is looked into (I-08). */
export function isDamaged(bytes: Uint8Array): boolean {
  const all = asBuffer(bytes)
  return !all.includes('startxref') && !all.includes('%%EOF')
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
