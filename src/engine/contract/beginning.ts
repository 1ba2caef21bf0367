/** At most so many characters of a text, copied: a slice would keep the whole of it in memory. */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()
}
