/** Decodes a part of a URL; returns `otherwise` for invalid escapes. */
export function safeDecodeURIComponent(part: string, otherwise = part): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return otherwise
  }
}
