import fc from 'fast-check'
import { bytes, CRLF, end, part } from './forms.js'
import type { Sent } from './sent.js'

/** What a reader might stumble over: pieces of boundaries, line ends, blank lines, and other bytes. */
const content = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '-', '--', '\r\n--', '--x', '\r\n-x', 'x', ' ', '\r\n\r\n', 'ø', '"', ':'))
  .map((pieces) => pieces.join(''))

const name = fc.constantFrom('file', 'source', 'data[0][email]', 'søk', 'a b', 'a"b', 'a;b', 'a\\b')
const quoted = (text: string) => `"${text.replaceAll('"', '\\"')}"`

const written = fc.record({
  name,
  content,
  filename: fc.option(fc.constantFrom('s.png', '', 'a;b.png', '../s.png', '..', 'C:\\s.png', 'ø.png', 'a"b.png')),
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

/** Well-formed forms; of RFC 2046, no content contains its delimiter. */
export const drawnForms: fc.Arbitrary<Sent> = fc
  .tuple(boundary, fc.array(written, { minLength: 1, maxLength: 4 }), fc.constantFrom('', CRLF, `preamble${CRLF}`))
  .filter(([boundary, parts]) =>
    parts.every(({ content }) => !`${CRLF}${content}${CRLF}`.includes(`${CRLF}--${boundary}`)),
  )
  .map(([boundary, parts, preamble]) => ({
    type: `multipart/form-data; boundary="${boundary}"`,
    body: bytes(preamble, ...parts.map((one) => partOf(one, boundary)), end(boundary)),
  }))
