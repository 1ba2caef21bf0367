import { BOUNDARY } from '../helper.js'
import type { Chunks } from '../wire.js'
import { bounded, bytes, CRLF, end, FILE, file, form, PNG, raw, TEXT, text } from './forms.js'

const named = (filename: string) =>
  raw(bytes(file([`Content-Disposition: form-data; name="file"; filename=${filename}`]), text(), end()))

/** A form of those parts. */
const of = (...parts: readonly Uint8Array[]): [[Buffer, Buffer]] => [raw(bytes(...parts, end()))]
/** The form, sent as that type. */
const as = (type: string, body = form): [[Buffer, Buffer]] => [raw(body, { type })]
const typed = (type: string, content?: string | Uint8Array) =>
  of(file(), text([TEXT, `Content-Type: ${type}`], content))
const b70 = 'b'.repeat(70)
const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB']

/** What is sent, by whom it was seen, and the file name that arrives where it is another one. */
export const dialects: Readonly<Record<string, readonly [Chunks, filename?: string]>> = {
  'as browsers write it': [raw(form)],
  'quoted boundary (Qt, .NET)': as(`multipart/form-data; boundary="${BOUNDARY}"`),
  'charset after the boundary (Apache)': as(`multipart/form-data; boundary=${BOUNDARY}; charset=UTF-8`),
  'charset before the boundary': as(`multipart/form-data;charset=UTF-8;boundary=${BOUNDARY}`),
  'upper case and odd spaces in the type': as(`Multipart/Form-Data ;  BOUNDARY=${BOUNDARY}`),
  'chunked body (Go, Symfony, JDK)': [raw(form, { chunked: true })],
  'one byte a write': [Array.from(bytes(...raw(form)), (byte) => Buffer.from([byte]))],
  'Expect: 100-continue (curl)': [raw(form, { headers: ['Expect: 100-continue'] })],
  'h2c upgrade on the POST (JDK)': [raw(form, { headers: h2c })],
  'part lengths and transfer encodings (Guzzle, OkHttp)': of(
    file([FILE, 'Content-Type: image/png', `Content-Length: ${PNG.length}`, 'Content-Transfer-Encoding: binary']),
    text([TEXT, 'Content-Length: 8', 'Content-Transfer-Encoding: 8bit']),
  ),
  'part headers in lower case, type first (Playwright, aiohttp)': of(
    file(['content-type: image/png', FILE.toLowerCase()]),
    text([TEXT.toLowerCase()]),
  ),
  'no spaces, no quotes': of(
    file(['Content-Disposition:form-data;name=file;filename=s.png']),
    text(['Content-Disposition:form-data;name=source']),
  ),
  'typed text parts': typed('text/plain; charset=utf-8'),
  'text declared as latin-1': typed('text/plain; charset=iso-8859-1', Buffer.from('drawn ø', 'latin1')),
  'text declared as JSON': typed('application/json', '"drawn ø"'),
  'text declared as octets': typed('application/octet-stream'),
  'fields before the file (Mojolicious)': of(text(), file()),
  'short boundary (LWP)': as('multipart/form-data; boundary=xYz', bounded('xYz')),
  'boundary of one character': as('multipart/form-data; boundary=x', bounded('x')),
  'boundary of odd characters': as(`multipart/form-data; boundary="'()+_,-./:=?"`, bounded("'()+_,-./:=?")),
  'longest boundary of RFC 2046': as(`multipart/form-data; boundary=${b70}`, bounded(b70)),
  'a body that is declared as not encoded': [raw(form, { headers: ['Content-Encoding: identity'] })],
  'parts that are declared as not encoded, in capitals': of(
    file([FILE, 'Content-Transfer-Encoding: BINARY']),
    text([TEXT, 'Content-Transfer-Encoding: 7BIT']),
  ),
  'a header in two lines': of(file(), text([`Content-Disposition: form-data;${CRLF}\tname="source"`])),
  preamble: [raw(bytes('This is a multipart message.', CRLF, form))],
  epilogue: [raw(bytes(form, `goodbye${CRLF}--${BOUNDARY}${CRLF}not a part`))],
  'no line end after the last boundary': [raw(form.subarray(0, -2))],
  'quotes in the file name as %22': [named('"a%22b.png"'), 'a%22b.png'],
  'quotes in the file name as they are': [named('"a"b.png"'), 'a'],
  'quotes in the file name with a backslash': [named('"a\\"b.png"'), 'a"b.png'],
  'UTF-8 in the file name, raw': [named('"åß 署名.png"'), 'åß 署名.png'],
  'UTF-8 in the file name, extended': [named(`"s.png"; filename*=UTF-8''%C3%A5.png`), 's.png'],
  'question marks in the file name': [named('"??.png"'), '??.png'],
  'a path as the file name': [named('"C:\\\\fakepath\\\\s.png"'), 's.png'],
  'an upward path as the file name': [named('"../../etc/s.png"'), 's.png'],
  'an empty file name': [named('""'), ''],
  'a file without a name': [...of(file(['Content-Disposition: form-data; name="file"']), text()), ''],
  'a file without a type': of(file([FILE]), text()),
}
