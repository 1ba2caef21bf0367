import { hash } from 'node:crypto'

/** The sha256 of bytes, or of a text in UTF-8, in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}
