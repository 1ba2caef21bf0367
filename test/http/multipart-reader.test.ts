import fc from 'fast-check'
import t from 'tap'
import { readParts } from '../../src/http/api/multipart.js'
import { UnreadableForm } from '../../src/http/api/unreadable-form.js'
import { holds } from '../property.js'
import { inProportion } from '../proportion.js'
import { content } from './drawn-forms.js'
import { bytes, CRLF, end, part } from './forms.js'
import { shownPart } from './reading.js'

const read = (body: Buffer, boundary: string) =>
  readParts(body, `multipart/form-data; boundary="${boundary}"`, new Set(['file']))

/** @throws what is no refusal */
function isRefused(body: Buffer): boolean {
  try {
    read(body, 'x')
    return false
  } catch (error) {
    if (error instanceof UnreadableForm) return true
    throw error
  }
}

t.test('whatever is sent is a form, or refused', async (t) => {
  const pieces = fc.array(
    fc.oneof(
      content,
      fc.constantFrom('--x', '--x--', 'Content-Disposition: form-data; name="a"', 'charset=', ';', '='),
    ),
  )
  await holds(
    t,
    'nothing else is thrown',
    fc.property(pieces, (all) => void isRefused(bytes(...all))),
    { numRuns: 5_000, seed: 1 },
  )
})

t.test('a line of content that begins like a delimiter is content', async (t) => {
  const text = `1${CRLF}--xy${CRLF}--x y${CRLF}2`
  const body = bytes(part(['Content-Disposition: form-data; name="a"'], text, 'x'), end('x'))
  t.same(read(body, 'x'), [{ name: 'a', value: text }], 'the part is read to its end')
})

t.test('a part without a body is an empty text', async (t) => {
  const head = 'Content-Disposition: form-data; name="a"'
  const bodies = { 'its blank line is the end': `${head}${CRLF}`, 'it has no blank line': head }
  for (const [what, sent] of Object.entries(bodies)) {
    t.same(read(bytes(`--x${CRLF}${sent}${CRLF}`, end('x')), 'x'), [{ name: 'a', value: '' }], what)
  }
})

const DISPOSITION = 'Content-Disposition: form-data;'

/** Heads of parts, and what is read of them: a name and a text, or a name and a file. */
const heads: Readonly<Record<string, readonly [head: string, part: readonly string[]]>> = {
  'a header in two lines keeps its white space': [`${DISPOSITION} name="a${CRLF} \tb"`, ['a \tb', 'v']],
  'white space may stand before a colon': ['Content-Disposition \t: form-data; name="a"', ['a', 'v']],
  'what is no header is ignored alone': [
    `nonsense${CRLF}: x${CRLF}y${CRLF} z${CRLF}${DISPOSITION} name="a"`,
    ['a', 'v'],
  ],
  'quotes that are not closed end with the header': [`${DISPOSITION} name="a; b\\"`, ['a; b"', 'v']],
  'a backslash may stand before a line separator': [`${DISPOSITION} name="a\\\u2028b"`, ['a\\\u2028b', 'v']],
  'only spaces and tabs are white space': [`${DISPOSITION} name=\t\u00a0a\u3000 `, ['\u00a0a\u3000', 'v']],
  'quotes hide parameters, whatever they are the value of': [`${DISPOSITION} x y="; name=b"; name="a"`, ['a', 'v']],
  'a name may be extended, as by urllib3 before 1.25': [`${DISPOSITION} name*=utf-8''n%C3%A5m`, ['n\u00e5m', 'v']],
  'an extended name that is not UTF-8 is not decoded': [
    `${DISPOSITION} name="a"; filename*=iso-8859-1''%E5`,
    ['a', "iso-8859-1''%E5", 'text/plain', 'v'],
  ],
  'a name has no line ends, though they are escaped': [
    `${DISPOSITION} name*=utf-8''a%0D%0Ab`,
    ["utf-8''a%0D%0Ab", 'v'],
  ],
  'a type that is empty is the default': [
    `${DISPOSITION} name="file"${CRLF}Content-Type:`,
    ['file', '', 'text/plain', 'v'],
  ],
}

t.test('the heads of parts are read as they are meant', async (t) => {
  for (const [what, [head, wanted]] of Object.entries(heads)) {
    t.same(read(bytes(part([head], 'v', 'x'), end('x')), 'x').map(shownPart), [wanted], what)
  }
})

t.test('a part that begins with a blank line has no headers, whatever its content looks like', async (t) => {
  const text = part(['Content-Disposition: form-data; name="a"'], 'v', 'x').subarray('--x\r\n'.length)
  t.equal(isRefused(bytes(`--x${CRLF}${CRLF}`, text, end('x'))), true, 'its content is not taken for a header')
})

t.test('a boundary is compared byte for byte', async (t) => {
  // As Node gives headers, each character is a byte: the last one of this letter in UTF-8 is a space in Latin-1.
  const boundary = Buffer.from('x\u00e0').toString('latin1')
  const body = Buffer.from(
    String(bytes(part(['Content-Disposition: form-data; name="a"'], 'v', 'x\u00e0'), end('x\u00e0'))),
  )
  t.same(
    readParts(body, `multipart/form-data; boundary=${boundary}`, new Set()),
    [{ name: 'a', value: 'v' }],
    'it is found',
  )
})

t.test('reading takes time in proportion to the length', async (t) => {
  const header = (beginning: string, filling: string) => (length: number) =>
    bytes(`--x${CRLF}${beginning}`, Buffer.alloc(length, filling), CRLF, end('x'))
  const names = (count: number) => Array.from({ length: count }, (_, nth) => `a${nth}: b${CRLF}`).join('')
  const long: Readonly<Record<string, (length: number) => Buffer>> = {
    'almost delimiters': (length) => Buffer.alloc(length, `${CRLF}--x `),
    'a header of semicolons': header('Content-Disposition: ', ';a="'),
    'a header of spaces': header('Content-Disposition: ;', ' '),
    'a header of backslashes': header('Content-Disposition: ;a="', '\\"'),
    'a header of many lines': header('', `a:b${CRLF} `),
    'a header of many names': (length) => bytes(`--x${CRLF}`, names(length / 16), end('x')),
  }
  for (const [what, body] of Object.entries(long)) {
    t.equal(isRefused(body(1_000)), true, `${what}: the body is refused`)
    await inProportion(t, what, 8_000_000, (length) => isRefused(body(length)))
  }
})
