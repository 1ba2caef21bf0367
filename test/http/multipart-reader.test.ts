import { Busboy } from '@fastify/busboy'
import fc from 'fast-check'
import t from 'tap'
import { type MultipartPart, readParts } from '../../src/http/api/multipart.js'
import { UnreadableForm } from '../../src/http/api/unreadable-form.js'
import { holds } from '../property.js'
import { inProportion } from '../proportion.js'
import { bytes, CRLF, end, part } from './forms.js'

const read = (body: Buffer, boundary: string) =>
  readParts(body, `multipart/form-data; boundary="${boundary}"`, new Set(['file']))

/** The same, by the parser of @fastify/multipart. */
function readByBusboy(body: Buffer, boundary: string): Promise<MultipartPart[]> {
  return new Promise((resolve, reject) => {
    const parts: { name: string; value: MultipartPart['value'] }[] = []
    const parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      isPartAFile: (name = '', _type, filename) => filename !== undefined || name === 'file',
    })
    parser.on('field', (name, value) => parts.push({ name, value }))
    parser.on('file', (name, stream, filename = '', _encoding, mimetype) => {
      const one = { name, value: { filename, mimetype, content: Buffer.alloc(0) } }
      parts.push(one)
      stream.on('data', (chunk) => {
        one.value.content = Buffer.concat([one.value.content, chunk])
      })
    })
    parser.on('error', reject).on('finish', () => resolve(parts))
    parser.end(body)
  })
}

const plain = (parts: readonly MultipartPart[]) =>
  parts.map(({ name, value }) => [
    name,
    typeof value === 'string' ? value : [value.filename, value.mimetype, Buffer.from(value.content).toString('latin1')],
  ])

/** What a reader might stumble over: pieces of boundaries, line ends, blank lines, and other bytes. */
const content = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '-', '--', '\r\n--', '--x', '\r\n-x', 'x', ' ', '\r\n\r\n', 'ø', '"', ':'))
  .map((pieces) => pieces.join(''))
const name = fc.constantFrom('file', 'source', 'data[0][email]', 'søk', 'a b', 'a"b', 'a;b', 'a\\b')
const quoted = (text: string) => `"${text.replaceAll('"', '\\"')}"`

const written = fc.record({
  name,
  content,
  filename: fc.option(fc.constantFrom('s.png', '', 'a;b.png', '../s.png', 'C:\\s.png', 'ø.png', 'a"b.png')),
  type: fc.option(
    fc.constantFrom('image/png', 'text/plain', 'Text/Plain; charset=utf-8', 'text/plain;charset="UTF-8"'),
  ),
  order: fc.boolean(),
  spaces: fc.constantFrom('', ' '),
})

type Written = typeof written extends fc.Arbitrary<infer W> ? W : never

const partOf = ({ name, content, filename, type, order, spaces }: Written, boundary: string) => {
  const file = filename === null ? '' : `; ${spaces}filename=${quoted(filename)}`
  const headers = [
    `Content-Disposition: form-data;${spaces}name=${quoted(name)}${file}`,
    ...(type === null ? [] : [`Content-Type:${spaces}${type}`]),
  ]
  return part(order ? headers : headers.reverse(), content, boundary)
}

const boundary = fc.constantFrom('x', 'xx', 'x-x', '-', '--', "'()+_,-./:=?", 'b'.repeat(70))

t.test('forms are read as the parser of @fastify/multipart reads them', async (t) => {
  const forms = fc
    .tuple(boundary, fc.array(written, { minLength: 1, maxLength: 4 }), fc.constantFrom('', CRLF, `preamble${CRLF}`))
    // RFC 2046: no content may contain its delimiter.
    .filter(([boundary, parts]) =>
      parts.every(({ content }) => !`${CRLF}${content}${CRLF}`.includes(`${CRLF}--${boundary}`)),
    )
  await holds(
    t,
    'names, texts, files and their order',
    fc.asyncProperty(forms, async ([boundary, parts, preamble]) => {
      const body = bytes(preamble, ...parts.map((one) => partOf(one, boundary)), end(boundary))
      const wanted = JSON.stringify(plain(await readByBusboy(body, boundary)))
      const found = JSON.stringify(plain(read(body, boundary)))
      if (found !== wanted) throw new Error(`${found} instead of ${wanted}, from ${JSON.stringify(String(body))}`)
    }),
    { numRuns: 3_000, seed: 1 },
  )
})

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
