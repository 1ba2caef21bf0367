/** The look-behind keeps a match linear in a text with many slashes. */
const TRAILING_SLASHES = /(?<!\/)\/+$/

export function withoutTrailingSlashes(text: string): string {
  return text.replace(TRAILING_SLASHES, '')
}
