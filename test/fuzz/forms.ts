import fc from 'fast-check'
import type { Contract } from '../../schemas/contract.js'
import { BOUNDARY, fixtureFile, requestOf } from '../helper.js'
import { after, type Change, kindsOf, listsOf } from './changes.js'
import { CONTENTS, HEADERS, NAMES, TYPES } from './form-words.js'

/** One part of a form; each character of what it holds is a byte. */
interface Part {
  readonly headers: readonly string[]
  readonly content: string
}

/** A form as it is written. */
interface Form {
  readonly type: string
  readonly preamble: string
  readonly parts: readonly Part[]
  readonly lineEnd: string
  readonly ending: string
}

const nth = fc.nat(9)

const kind = kindsOf<Form>()
const drawn = (of: object) => fc.constantFrom(...Object.keys(of))
const files = fc.constantFrom('signature.png', 'signature.svg', 'verified.pdf', 'damaged.pdf')
const END = `--${BOUNDARY}--`

/** How a form is changed. */
const kinds = {
  drop: kind({ nth }, (form, { nth }) => withPart(form, nth, () => [])),
  repeat: kind({ nth, times: fc.constantFrom(2, 3, 1_100) }, (form, { nth, times }) =>
    withPart(form, nth, (part) => Array<Part>(times).fill(part)),
  ),
  move: kind({ nth }, (form, { nth }) => {
    const start = nth % (form.parts.length || 1)
    return { ...form, parts: [...form.parts.slice(start), ...form.parts.slice(0, start)] }
  }),
  name: kind({ nth, name: drawn(NAMES) }, (form, { nth, name }) =>
    withHeaders(form, nth, (headers) =>
      headers.map((one) => one.replace(/ name="[^"]*"/, () => ` name="${NAMES[name]}"`)),
    ),
  ),
  header: kind({ nth, header: drawn(HEADERS), first: fc.boolean() }, (form, { nth, header, first }) =>
    withHeaders(form, nth, (headers) => headers.toSpliced(first ? 0 : headers.length, 0, HEADERS[header] as string)),
  ),
  unhead: kind({ nth, line: fc.nat(2) }, (form, { nth, line }) =>
    withHeaders(form, nth, (headers) => headers.filter((_, at) => at !== line)),
  ),
  content: kind({ nth, content: drawn(CONTENTS) }, (form, { nth, content }) =>
    withPart(form, nth, ({ headers }) => [{ headers, content: CONTENTS[content] as string }]),
  ),
  file: kind({ nth, file: files }, (form, { nth, file }) =>
    withPart(form, nth, ({ headers }) => [{ headers, content: latin1(fixtureFile(file).content) }]),
  ),
  type: kind({ type: fc.constantFrom(...TYPES) }, (form, { type }) => ({ ...form, type })),
  preamble: kind(
    { preamble: fc.constantFrom('hello', '\r\n', `--${BOUNDARY}\r\n`, 'x'.repeat(100_000)) },
    (form, { preamble }) => ({ ...form, preamble }),
  ),
  lineEnd: kind({ lineEnd: fc.constantFrom('\n', '\r', ' \r\n', '\r\n\r\n') }, (form, { lineEnd }) => ({
    ...form,
    lineEnd,
  })),
  ending: kind(
    { ending: fc.constantFrom('', `--${BOUNDARY}`, `--${BOUNDARY}-`, END, `${END}\r\n${END}`) },
    (form, { ending }) => ({ ...form, ending }),
  ),
}

export const formChanges = listsOf(kinds, 4)

function withPart(form: Form, nth: number, change: (part: Part) => readonly Part[]): Form {
  const { parts } = form
  return { ...form, parts: parts.flatMap((part, at) => (at === nth % parts.length ? change(part) : [part])) }
}

function withHeaders(form: Form, nth: number, change: (headers: readonly string[]) => readonly string[]): Form {
  return withPart(form, nth, (part) => [{ ...part, headers: change(part.headers) }])
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** The form of a request that the operation answers with 200. */
function validForm(contract: Contract): Form {
  const { headers, payload } = requestOf(contract)
  const [preamble = '', ...parts] = latin1(payload as Buffer).split(`--${BOUNDARY}\r\n`)
  return {
    type: String(headers?.['content-type']),
    preamble,
    parts: parts.map((part) => {
      const end = part.indexOf('\r\n\r\n')
      const rest = part.slice(end + 4).replace(`--${BOUNDARY}--\r\n`, '')
      return { headers: part.slice(0, end).split('\r\n'), content: rest.slice(0, -2) }
    }),
    lineEnd: '\r\n',
    ending: `--${BOUNDARY}--\r\n`,
  }
}

/** The valid form of an operation after changes: its Content-Type, and its bytes. */
export function writtenForm(contract: Contract, list: readonly Change[]): { type: string; body: Buffer } {
  const { type, preamble, parts, lineEnd, ending } = after(kinds, validForm(contract), list)
  const written = parts.map(({ headers, content }) => [`--${BOUNDARY}`, ...headers, '', content, ''].join(lineEnd))
  return { type, body: Buffer.from(preamble + written.join('') + ending, 'latin1') }
}
