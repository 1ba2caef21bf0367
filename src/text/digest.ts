/** The sha256 of bytes, or of a text in UTF-8, in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  // Loaded on first use, to save time at the start.
  return process.getBuiltinModule('node:crypto').hash('sha256', data)
}
