import fc from 'fast-check'
import { uploadSignature } from '../../schemas/index.js'
import { BOUNDARY } from '../helper.js'
import { drawnForms } from '../http/drawn-forms.js'
import { bytes, end, part } from '../http/forms.js'
import { latin1, type Sent } from '../http/sent.js'
import { changed, changesWith } from './bytes.js'
import { after, type Change, kindsOf, listsOf } from './changes.js'
import { formChanges, writtenForm } from './forms.js'
import { sentByClients } from './known-forms.js'

/** What parameters are made of, and what is close to it. */
const PIECES = [
  ...['; ', ';', ' ', '\t', '=', '"', '\\', "'", '*', ',', ':', '\\\u2028', '\u00a0', '\r\n ', '\r\n\t'],
  ...['name', 'filename', 'NAME', 'x', 'name=', 'name="', 'name="a"', '; name=file', '; name="file"', '; filename="b"'],
  ...["UTF-8''", "; filename*=utf-8''", "; filename*=UTF-8'en'", "; name*=UTF-8'en'", "iso-8859-1''%E5"],
  ...['%C3%A5', '%e5', '%0A', '%', 'ø', '署名', 'form-data', 'a/b', '..', 'a/..', '/', 'application/json'],
  ...['; charset=', 'latin1', 'utf-16le', 'windows-1252', 'big5', 'nonsense'],
]

const pieces = (most: number) =>
  fc.array(fc.constantFrom(...PIECES), { maxLength: most, size: 'max' }).map((all) => all.join(''))

const parts = fc.array(
  fc.record({
    name: fc.constantFrom(
      'Content-Disposition: ',
      'content-disposition:',
      'Content-Disposition \t: ',
      'Content-Disposition:\r\n\t',
    ),
    start: fc.constantFrom('form-data; name="a"', 'form-data; name="', 'form-data; name=', 'form-data; ', 'form-data'),
    disposition: pieces(10),
    type: fc.option(pieces(6)),
    content: fc.constantFrom('', 'a', '"b"', '\xc3\xb8', '\xff', '\x80'),
  }),
  { minLength: 1, maxLength: 2 },
)

/** Forms whose headers are made of pieces. */
const oddHeaders: fc.Arbitrary<Sent> = parts.map((all) => ({
  type: 'multipart/form-data; boundary=x',
  body: bytes(
    ...all.map(({ name, start, disposition, type, content }) => {
      const types = type === null ? [] : [`Content-Type: text/plain${type}`]
      return part([`${name}${start}${disposition}`, ...types], latin1(content), 'x')
    }),
    end('x'),
  ),
}))

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

const lineChanges = listsOf(kinds, 3)

/** Some bytes after changes of their lines. */
function withLines(bytes: Buffer, list: readonly Change[]): Buffer {
  if (list.length === 0) return bytes
  const lines = after(kinds, bytes.toString('latin1').split(/(?<=\r\n)/) as Lines, list)
  return Buffer.from(lines.join(''), 'latin1')
}

const WORDS = [
  ...['\r\n', '\n', '\r', '\r\n\r\n', '--', '-', ' ', '\t', ';', ':', '=', '"', '\\', "'", '*', '\0', 'ü', '\xa0'],
  ...[`--${BOUNDARY}`, `\r\n--${BOUNDARY}`, `\r\n--${BOUNDARY}--`, `\r\n--${BOUNDARY} \r\n`],
  ...['--x', '\r\n--x', '\r\n--x--\r\n', '\r\n--x\t\r\n', 'name="file"', 'filename="x"', '; name="a"'],
  ...["filename*=UTF-8''%C3%B8", "name*=utf-8''%C3%B8", 'charset=utf-16le', 'Content-Type: application/json'],
  ...['Content-Disposition: form-data; name="b"', 'Content-Transfer-Encoding: base64'],
]
const TYPE_WORDS = [
  ...['"', ' ', '\t', ';', '=', '*', '\\', "'", ',', '--', 'x', 'ø', 'boundary', 'BOUNDARY', 'boundary="', "utf-8''"],
  ...['; boundary=x', '; boundary="x', 'charset=utf-8', BOUNDARY, 'b'.repeat(71)],
]

const sometimes = <T>(weight: number, arbitrary: fc.Arbitrary<T[]>) =>
  fc.oneof({ weight, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary })

/** How a form is drawn, and how its Content-Type, its lines and its bytes are changed. */
export const draws = fc.record({
  from: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...Object.keys(sentByClients)) },
    { weight: 3, arbitrary: drawnForms },
    { weight: 3, arbitrary: oddHeaders },
    { weight: 1, arbitrary: formChanges },
  ),
  type: sometimes(2, changesWith(TYPE_WORDS, 3)),
  lines: sometimes(1, lineChanges),
  bytes: sometimes(1, changesWith(WORDS, 3)),
  cuts: fc.array(fc.nat(9_999), { maxLength: 3 }),
})

export type Draw = typeof draws extends fc.Arbitrary<infer T> ? T : never

function startOf(from: Draw['from']): Sent {
  if (typeof from === 'string') return sentByClients[from] as Sent
  if ('body' in from) return from
  const { type, body } = writtenForm(uploadSignature, from)
  return { type: /^multipart\/form-data/i.test(type) ? type : 'multipart/form-data', body }
}

/** Bytes of a body; of more it takes long to explain what differs. */
const LONGEST = 150_000

/** What is sent after all changes; of the Content-Type, only the parameters change. */
export function sentBy({ from, type, lines, bytes }: Draw): Sent {
  const start = startOf(from)
  const [form = '', ...parameters] = start.type.split(/(?=;)/)
  const rest = changed(latin1(parameters.join('')), type).toString('latin1')
  return {
    type: form + rest.replace(/^(?=[^;])/, ';'),
    body: changed(withLines(start.body, lines), bytes).subarray(0, LONGEST),
  }
}

/** A body in pieces; places are given in ten-thousandths of the whole. */
export function piecesOf(body: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((cut) => Math.floor((cut * body.length) / 10_000)).sort((a, b) => a - b)
  return [0, ...places].map((start, nth) => body.subarray(start, places[nth] ?? body.length))
}
