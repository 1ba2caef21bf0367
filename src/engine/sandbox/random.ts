import { hash } from 'node:crypto'

export function randomUuid(...parts: readonly (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify(parts))
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A fast generator: a long list needs thousands of numbers. */
export function randomNumbers(...parts: readonly (string | number)[]): () => number {
  let state = Math.floor(randomNumber(...parts) * 2 ** 32)
  // Mulberry32, by Tommy Ettinger, in the public domain.
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function randomNumber(...parts: readonly (string | number)[]): number {
  return Number.parseInt(hash('sha256', JSON.stringify(parts)).slice(0, 12), 16) / 2 ** 48
}
