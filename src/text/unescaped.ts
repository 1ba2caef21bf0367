/** A part of a URL without its escapes; where they cannot be read, the part as it is, or what is to stand in its place. */
export function unescaped(part: string, otherwise = part): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return otherwise
  }
}
