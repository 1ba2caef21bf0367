/** Decodes a part of a URL; returns `otherwise` for invalid escapes. */
export function unescaped(part: string, otherwise = part): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return otherwise
  }
}
