/** A text as one word of a POSIX shell; nothing in it is special. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
