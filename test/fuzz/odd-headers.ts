import fc from 'fast-check'
import { bytes, end, part } from '../http/forms.js'
import { latin1, type Sent } from '../http/sent.js'

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
export const oddHeaders: fc.Arbitrary<Sent> = parts.map((all) => ({
  type: 'multipart/form-data; boundary=x',
  body: bytes(
    ...all.map(({ name, start, disposition, type, content }) => {
      const types = type === null ? [] : [`Content-Type: text/plain${type}`]
      return part([`${name}${start}${disposition}`, ...types], latin1(content), 'x')
    }),
    end('x'),
  ),
}))
