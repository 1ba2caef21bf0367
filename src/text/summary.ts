/** Some items of a summary: those that do not fit are left out, the last ones first. */
export interface SummaryList {
  readonly head?: string
  readonly items: readonly string[]
  readonly tail?: string
  /** What the items are: `failures`. */
  readonly called: string
}

/**
 * The parts of a summary in markdown, with an empty line between them. Where they are more than `most` bytes, items of
 * lists are left out, and it says so: what comes first is of the most value.
 */
export function summaryText(parts: readonly (string | SummaryList)[], most = Number.POSITIVE_INFINITY): string {
  const always = parts.map((part) => (typeof part === 'string' ? part : textOf(part, LONGEST_NOTE)))
  let room = most - bytesOf(join(always))
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part
    const kept: string[] = []
    for (const item of part.items) {
      room -= bytesOf(item) + 1
      if (room < 0) return textOf(part, ...kept, note(part.items.length - kept.length, part.called))
      kept.push(item)
    }
    return kept.length === 0 ? '' : textOf(part, ...kept)
  })
  return join(texts)
}

function textOf({ head, tail }: SummaryList, ...items: readonly string[]): string {
  const parts = [head, items.join('\n'), tail]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

function join(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function note(count: number, called: string): string {
  return `\n${count} more ${called} are left out here for lack of space.`
}

const LONGEST_NOTE = note(1e9, 'interpretations')

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
