import fc from 'fast-check'
import { after, type Change, kindsOf, listsOf } from './changes.js'

/** What a line may end in. */
const ENDS = ['\r\n', '\n', '\r', '\r\r\n', '\r\n\r\n', ' \r\n', '\t \r\n', '\r\n ', '\r\n\t', '']

type Lines = readonly string[]
/** Places are given in ten-thousandths of the whole. */
const place = fc.nat(9_999)
const placeIn = ({ length }: Lines, share: number) => Math.floor((share * length) / 10_000)
const kind = kindsOf<Lines>()

/** A kind of change that does something with one line, of which there is always one. */
const ofLine = (change: (lines: Lines, at: number, line: string) => Lines) =>
  kind({ at: place }, (lines, { at }) => change(lines, placeIn(lines, at), lines[placeIn(lines, at)] ?? ''))

/** How lines are changed; each has its end. */
const kinds = {
  drop: ofLine((lines, at) => lines.toSpliced(at, 1)),
  repeat: ofLine((lines, at, line) => lines.toSpliced(at, 0, line)),
  swap: ofLine((lines, at) => lines.toSpliced(at, 2, ...lines.slice(at, at + 2).reverse())),
  indent: ofLine((lines, at, line) => lines.toSpliced(at, 1, ` ${line}`)),
  copy: kind({ at: place, to: place }, (lines, { at, to }) =>
    lines.toSpliced(placeIn(lines, to), 0, lines[placeIn(lines, at)] ?? ''),
  ),
  move: kind({ at: place, to: place }, (lines, { at, to }) => {
    const from = placeIn(lines, at)
    return lines.toSpliced(from, 1).toSpliced(placeIn(lines, to), 0, lines[from] ?? '')
  }),
  end: kind({ at: place, end: fc.constantFrom(...ENDS) }, (lines, { at, end }) => {
    const from = placeIn(lines, at)
    return lines.toSpliced(from, 1, (lines[from] ?? '').replace(/\r\n$/, end))
  }),
}

export const lineChanges = listsOf(kinds, 3)

/** Some bytes after changes of their lines. */
export function withLines(bytes: Buffer, list: readonly Change[]): Buffer {
  if (list.length === 0) return bytes
  const lines = after(kinds, bytes.toString('latin1').split(/(?<=\r\n)/) as Lines, list)
  return Buffer.from(lines.join(''), 'latin1')
}
