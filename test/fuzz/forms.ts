import fc from 'fast-check'
import type { Contract } from '../../schemas/contract.js'
import { BOUNDARY, fixtureFile, requestOf } from '../helper.js'
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

/** How a form is changed: what each change is made of, and what it does. */
const changes = {
  drop: { parts: { nth }, apply: (form: Form, { nth }: { nth: number }) => withPart(form, nth, () => []) },
  repeat: {
    parts: { nth, times: fc.constantFrom(2, 3, 1_100) },
    apply: (form: Form, { nth, times }: { nth: number; times: number }) =>
      withPart(form, nth, (part) => Array<Part>(times).fill(part)),
  },
  move: {
    parts: { nth },
    apply: (form: Form, { nth }: { nth: number }) => ({
      ...form,
      parts: [
        ...form.parts.slice(nth % (form.parts.length || 1)),
        ...form.parts.slice(0, nth % (form.parts.length || 1)),
      ],
    }),
  },
  name: {
    parts: { nth, name: fc.constantFrom(...Object.keys(NAMES)) },
    apply: (form: Form, { nth, name }: { nth: number; name: string }) =>
      withPart(form, nth, (part) => [
        { ...part, headers: part.headers.map((one) => one.replace(/ name="[^"]*"/, () => ` name="${NAMES[name]}"`)) },
      ]),
  },
  header: {
    parts: { nth, header: fc.constantFrom(...Object.keys(HEADERS)), first: fc.boolean() },
    apply: (form: Form, { nth, header, first }: { nth: number; header: string; first: boolean }) =>
      withPart(form, nth, (part) => [
        {
          ...part,
          headers: [...part.headers].toSpliced(first ? 0 : part.headers.length, 0, HEADERS[header] as string),
        },
      ]),
  },
  unhead: {
    parts: { nth, line: fc.nat(2) },
    apply: (form: Form, { nth, line }: { nth: number; line: number }) =>
      withPart(form, nth, (part) => [{ ...part, headers: part.headers.filter((_, at) => at !== line) }]),
  },
  content: {
    parts: { nth, content: fc.constantFrom(...Object.keys(CONTENTS)) },
    apply: (form: Form, { nth, content }: { nth: number; content: string }) =>
      withPart(form, nth, ({ headers }) => [{ headers, content: CONTENTS[content] as string }]),
  },
  file: {
    parts: { nth, file: fc.constantFrom('signature.png', 'signature.svg', 'verified.pdf', 'damaged.pdf') },
    apply: (form: Form, { nth, file }: { nth: number; file: string }) =>
      withPart(form, nth, ({ headers }) => [{ headers, content: latin1(fixtureFile(file).content) }]),
  },
  type: {
    parts: { type: fc.constantFrom(...TYPES) },
    apply: (form: Form, { type }: { type: string }) => ({ ...form, type }),
  },
  preamble: {
    parts: { preamble: fc.constantFrom('hello', '\r\n', `--${BOUNDARY}\r\n`, 'x'.repeat(100_000)) },
    apply: (form: Form, { preamble }: { preamble: string }) => ({ ...form, preamble }),
  },
  lineEnd: {
    parts: { lineEnd: fc.constantFrom('\n', '\r', ' \r\n', '\r\n\r\n') },
    apply: (form: Form, { lineEnd }: { lineEnd: string }) => ({ ...form, lineEnd }),
  },
  ending: {
    parts: {
      ending: fc.constantFrom(
        '',
        `--${BOUNDARY}`,
        `--${BOUNDARY}-`,
        `--${BOUNDARY}--`,
        `--${BOUNDARY}--\r\n--${BOUNDARY}--`,
      ),
    },
    apply: (form: Form, { ending }: { ending: string }) => ({ ...form, ending }),
  },
} as const

type Kind = keyof typeof changes
export interface FormChange {
  readonly kind: Kind
}

export const formChanges: fc.Arbitrary<FormChange[]> = fc.array(
  fc.oneof(
    ...(Object.keys(changes) as Kind[]).map((kind): fc.Arbitrary<FormChange> => {
      const parts: Readonly<Record<string, fc.Arbitrary<unknown>>> = changes[kind].parts
      return fc.record({ ...parts, kind: fc.constant(kind) })
    }),
  ),
  { maxLength: 4, size: 'max' },
)

function withPart(form: Form, nth: number, change: (part: Part) => readonly Part[]): Form {
  const { parts } = form
  return { ...form, parts: parts.flatMap((part, at) => (at === nth % parts.length ? change(part) : [part])) }
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
      const content = part
        .slice(end + 4)
        .replace(`--${BOUNDARY}--\r\n`, '')
        .slice(0, -2)
      return { headers: part.slice(0, end).split('\r\n'), content }
    }),
    lineEnd: '\r\n',
    ending: `--${BOUNDARY}--\r\n`,
  }
}

/** The valid form of an operation after changes: its Content-Type, and its bytes. */
export function writtenForm(contract: Contract, list: readonly FormChange[]): { type: string; body: Buffer } {
  const form = list.reduce<Form>((now, change) => changes[change.kind].apply(now, change as never), validForm(contract))
  const { type, preamble, parts, lineEnd, ending } = form
  const written = parts.map(
    ({ headers, content }) => `--${BOUNDARY}${lineEnd}${headers.join(lineEnd)}${lineEnd}${lineEnd}${content}${lineEnd}`,
  )
  return { type, body: Buffer.from(preamble + written.join('') + ending, 'latin1') }
}
