/** The sha256 of bytes, or of a text in UTF-8; by default in lower-case hex. */
export function sha256(data: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string {
  // Asked for here: no start has to wait for it.
  return process.getBuiltinModule('node:crypto').hash('sha256', data, encoding)
}
