import { BOUNDARY } from '../helper.js'
import type { Chunks } from '../wire.js'
import { bounded, bytes, CRLF, end, FILE, file, form, PNG, raw, TEXT, text } from './forms.js'

const named = (filename: string) =>
  bytes(file([`Content-Disposition: form-data; name="file"; filename=${filename}`]), text(), end())

/** What is sent, by whom it was seen, and the file name that arrives where it is another one. */
export const dialects: Readonly<Record<string, readonly [Chunks, filename?: string]>> = {
  'as browsers write it': [raw(form)],
  'quoted boundary (Qt, .NET)': [raw(form, { type: `multipart/form-data; boundary="${BOUNDARY}"` })],
  'charset after the boundary (Apache)': [
    raw(form, { type: `multipart/form-data; boundary=${BOUNDARY}; charset=UTF-8` }),
  ],
  'charset before the boundary': [raw(form, { type: `multipart/form-data;charset=UTF-8;boundary=${BOUNDARY}` })],
  'upper case and odd spaces in the type': [raw(form, { type: `Multipart/Form-Data ;  BOUNDARY=${BOUNDARY}` })],
  'chunked body (Go, Symfony, JDK)': [raw(form, { chunked: true })],
  'one byte a write': [Array.from(bytes(...raw(form)), (byte) => Buffer.from([byte]))],
  'Expect: 100-continue (curl)': [raw(form, { headers: ['Expect: 100-continue'] })],
  'h2c upgrade on the POST (JDK)': [
    raw(form, { headers: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB'] }),
  ],
  'part lengths and transfer encodings (Guzzle, OkHttp)': [
    raw(
      bytes(
        file([FILE, 'Content-Type: image/png', `Content-Length: ${PNG.length}`, 'Content-Transfer-Encoding: binary']),
        text([TEXT, 'Content-Length: 8', 'Content-Transfer-Encoding: 8bit']),
        end(),
      ),
    ),
  ],
  'part headers in lower case, type first (Playwright, aiohttp)': [
    raw(bytes(file(['content-type: image/png', FILE.toLowerCase()]), text([TEXT.toLowerCase()]), end())),
  ],
  'no spaces, no quotes': [
    raw(
      bytes(
        file(['Content-Disposition:form-data;name=file;filename=s.png']),
        text(['Content-Disposition:form-data;name=source']),
        end(),
      ),
    ),
  ],
  'typed text parts': [raw(bytes(file(), text([TEXT, 'Content-Type: text/plain; charset=utf-8']), end()))],
  'text declared as latin-1': [
    raw(
      bytes(
        file(),
        text([TEXT, 'Content-Type: text/plain; charset=iso-8859-1'], Buffer.from('drawn ø', 'latin1')),
        end(),
      ),
    ),
  ],
  'text declared as JSON': [raw(bytes(file(), text([TEXT, 'Content-Type: application/json'], '"drawn ø"'), end()))],
  'text declared as octets': [raw(bytes(file(), text([TEXT, 'Content-Type: application/octet-stream']), end()))],
  'fields before the file (Mojolicious)': [raw(bytes(text(), file(), end()))],
  'short boundary (LWP)': [raw(bounded('xYz'), { type: 'multipart/form-data; boundary=xYz' })],
  'boundary of one character': [raw(bounded('x'), { type: 'multipart/form-data; boundary=x' })],
  'boundary of odd characters': [
    raw(bounded("'()+_,-./:=?"), { type: `multipart/form-data; boundary="'()+_,-./:=?"` }),
  ],
  'longest boundary of RFC 2046': [
    raw(bounded('b'.repeat(70)), { type: `multipart/form-data; boundary=${'b'.repeat(70)}` }),
  ],
  'spaces and tabs after the boundaries (RFC 2046)': [
    raw(
      bytes(
        Buffer.from(
          bytes(file(), text()).toString('latin1').replaceAll(`${BOUNDARY}${CRLF}`, `${BOUNDARY} \t ${CRLF}`),
          'latin1',
        ),
        `--${BOUNDARY}-- \t${CRLF}`,
      ),
    ),
  ],
  'a body that is declared as not encoded': [raw(form, { headers: ['Content-Encoding: identity'] })],
  'parts that are declared as not encoded, in capitals': [
    raw(
      bytes(file([FILE, 'Content-Transfer-Encoding: BINARY']), text([TEXT, 'Content-Transfer-Encoding: 7BIT']), end()),
    ),
  ],
  'a header in two lines': [raw(bytes(file(), text([`Content-Disposition: form-data;${CRLF}\tname="source"`]), end()))],
  preamble: [raw(bytes('This is a multipart message.', CRLF, form))],
  epilogue: [raw(bytes(form, `goodbye${CRLF}--${BOUNDARY}${CRLF}not a part`))],
  'no line end after the last boundary': [raw(form.subarray(0, -2))],
  'quotes in the file name as %22': [raw(named('"a%22b.png"')), 'a%22b.png'],
  'quotes in the file name as they are': [raw(named('"a"b.png"')), 'a'],
  'quotes in the file name with a backslash': [raw(named('"a\\"b.png"')), 'a"b.png'],
  'UTF-8 in the file name, raw': [raw(named('"åß 署名.png"')), 'åß 署名.png'],
  'UTF-8 in the file name, extended': [raw(named(`"s.png"; filename*=UTF-8''%C3%A5.png`)), 's.png'],
  'question marks in the file name': [raw(named('"??.png"')), '??.png'],
  'a path as the file name': [raw(named('"C:\\\\fakepath\\\\s.png"')), 's.png'],
  'an upward path as the file name': [raw(named('"../../etc/s.png"')), 's.png'],
  'an empty file name': [raw(named('""')), ''],
  'a file without a name': [raw(bytes(file(['Content-Disposition: form-data; name="file"']), text(), end())), ''],
  'a file without a type': [raw(bytes(file([FILE]), text(), end()))],
}
