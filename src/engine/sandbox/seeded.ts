import { hash } from 'node:crypto'

export function seededUuid(...parts: readonly (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify(parts))
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function seededNumber(...parts: readonly (string | number)[]): number {
  return Number.parseInt(hash('sha256', JSON.stringify(parts)).slice(0, 12), 16) / 2 ** 48
}
