import fc from 'fast-check'

/** What a line may end in. */
const ENDS = ['\r\n', '\n', '\r', '\r\r\n', '\r\n\r\n', ' \r\n', '\t \r\n', '\r\n ', '\r\n\t', '']

/** How lines are changed; each has its end. */
const changes = {
  drop: (lines: readonly string[], at: number) => lines.toSpliced(at, 1),
  repeat: (lines: readonly string[], at: number) => lines.toSpliced(at, 0, lines[at] ?? ''),
  swap: (lines: readonly string[], at: number) => lines.toSpliced(at, 2, ...lines.slice(at, at + 2).reverse()),
  copy: (lines: readonly string[], at: number, to: number) => lines.toSpliced(to, 0, lines[at] ?? ''),
  move: (lines: readonly string[], at: number, to: number) => lines.toSpliced(at, 1).toSpliced(to, 0, lines[at] ?? ''),
  end: (lines: readonly string[], at: number, _: number, end: string) =>
    lines.toSpliced(at, 1, (lines[at] ?? '').replace(/\r\n$/, end)),
  indent: (lines: readonly string[], at: number) => lines.toSpliced(at, 1, ` ${lines[at] ?? ''}`),
} as const

/** One change of some lines, as it is printed. Places are given in ten-thousandths of the whole. */
export interface LineChange {
  readonly kind: keyof typeof changes
  readonly at: number
  readonly to: number
  readonly end: string
}

export const lineChanges: fc.Arbitrary<LineChange[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(changes) as LineChange['kind'][])),
    at: fc.nat(9_999),
    to: fc.nat(9_999),
    end: fc.constantFrom(...ENDS),
  }),
  { maxLength: 3, size: 'max' },
)

/** Some bytes after changes of their lines. */
export function withLines(bytes: Buffer, list: readonly LineChange[]): Buffer {
  if (list.length === 0) return bytes
  let lines: readonly string[] = bytes.toString('latin1').split(/(?<=\r\n)/)
  for (const { kind, at, to, end } of list) {
    const place = (share: number) => Math.floor((share * lines.length) / 10_000)
    lines = changes[kind](lines, place(at), place(to), end)
  }
  return Buffer.from(lines.join(''), 'latin1')
}
