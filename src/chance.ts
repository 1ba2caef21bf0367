import { createHash } from 'node:crypto'

/** A UUID that follows from its parts alone; laid out as version 4, which strict clients expect. */
export function uuidFrom(...parts: readonly (string | number)[]): string {
  const bytes = digest(parts)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A number from 0 up to, but not including, 1 that follows from its parts alone. */
export function drawFrom(...parts: readonly (string | number)[]): number {
  return digest(parts).readUIntBE(0, 6) / 2 ** 48
}

function digest(parts: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
