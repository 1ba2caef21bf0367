/** Looked for from its first slash only: a long row of slashes within a text costs no more than its length. */
const ENDING = /(?<!\/)\/+$/

export function withoutEndingSlashes(text: string): string {
  return text.replace(ENDING, '')
}
