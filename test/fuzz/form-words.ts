import { BOUNDARY } from '../helper.js'
import { linesOf } from './wire-words.js'

const named = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, word]))

/** The texts that a part may hold instead of its own; by name, since some are long. Each character is a byte. */
export const CONTENTS: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a blank': ' ',
  'a line end': '\r\n',
  'a NUL': 'a\u0000b',
  'a boundary': `\r\n--${BOUNDARY}`,
  'half a boundary': `\r\n--${BOUNDARY.slice(0, 5)}`,
  'the last boundary': `\r\n--${BOUNDARY}--\r\n`,
  'JSON of a text': '"Admin"',
  'JSON of an object': '{"a":[1,null]}',
  'half of JSON': '{"a":',
  'deep JSON': '['.repeat(20_000),
  base64: 'QWRtaW4=',
  'quoted-printable': 'A=64m=\r\nin',
  'no UTF-8': '\xff\xfe\xc3',
  'UTF-16': '\xff\xfeA\x00d\x00',
  '3,000 letters': 'x'.repeat(3_000),
  '70,000 letters': 'abcde\r\n'.repeat(10_000),
}

/** What a part may be called. */
export const NAMES: Readonly<Record<string, string>> = {
  ...named([
    ...'file FILE file[] source code user_uuid role first_name data[0][email] data[1][email] data[email]'.split(' '),
    ...'data.0.email __proto__ constructor toString naïve %66ile a"b a\\"b access_token password'.split(' '),
  ]),
  'no letters': '',
  'a blank': ' ',
  'a NUL': 'x\u0000y',
  '1,001 letters': 'n'.repeat(1_001),
}

/** Headers that a part may get. */
export const HEADERS: Readonly<Record<string, string>> = {
  ...named(
    linesOf(`
Content-Type: application/json
Content-Type: application/octet-stream
Content-Type: text/plain; charset=utf-16le
Content-Type: text/plain; charset=nonsense
Content-Type: ;;
Content-Type:
Content-Type: multipart/mixed; boundary=x
Content-Transfer-Encoding: base64
Content-Transfer-Encoding: quoted-printable
Content-Transfer-Encoding: nonsense
Content-Disposition: form-data
Content-Disposition: attachment; name="file"
Content-Disposition: form-data; name=file
Content-Disposition: form-data; name="file"; filename=""
Content-Disposition: form-data; name="file"; filename*=UTF-8''%ff
Content-Disposition: form-data; name="file"; filename="..%2f..\\x"
Content-Disposition: form-data; name="role"; filename="a.txt"
Content-Disposition: form-data; name="a"; name="file"
Content-Disposition: form-data; name="file
Content-Length: 5
nonsense
: x
 folded
`),
  ),
  'a long one': `X-Long: ${'y'.repeat(90_000)}`,
}

/** What the Content-Type of a request may say. */
export const TYPES: readonly string[] = [
  '',
  `multipart/form-data; boundary=${BOUNDARY} `,
  `multipart/form-data; boundary=${'b'.repeat(200)}`,
  ...linesOf(`
multipart/form-data
multipart/form-data; boundary="${BOUNDARY}"
multipart/form-data; boundary=${BOUNDARY}; boundary=x
multipart/form-data; boundary=x${BOUNDARY}
multipart/form-data; boundary=
multipart/form-data; boundary="
multipart/form-data; boundary=--
multipart/form-data; charset=utf-16; boundary=${BOUNDARY}
multipart/form-data; boundary*0=tests-; boundary*1=boundary-7f3a
multipart/form-data, boundary=${BOUNDARY}
multipart/mixed; boundary=${BOUNDARY}
Multipart/FORM-DATA;BOUNDARY=${BOUNDARY}
application/json
text/plain
`),
]
