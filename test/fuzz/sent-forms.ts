import fc from 'fast-check'
import { uploadSignature } from '../../schemas/index.js'
import { BOUNDARY } from '../helper.js'
import { drawnForms } from '../http/drawn-forms.js'
import { latin1, type Sent } from '../http/sent.js'
import { changed, changesWith } from './bytes.js'
import { formChanges, writtenForm } from './forms.js'
import { sentByClients } from './known-forms.js'
import { lineChanges, withLines } from './lines.js'
import { oddHeaders } from './odd-headers.js'

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
