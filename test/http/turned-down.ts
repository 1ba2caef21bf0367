import { HISTORIES } from '../helper.js'
import { head } from '../wire.js'

export const PATH = HISTORIES.split('?')[0] as string
export const TLS_HELLO = Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]), Buffer.alloc(512, 1)])

type Refused = readonly [sent: string | Buffer, method: string | null, url: string | null, fix: RegExp]

const request = (line: string, ...fields: readonly string[]) => head(`${line} HTTP/1.1`, 'Host: x', ...fields)
const get = (...fields: readonly string[]) => request(`GET ${PATH}`, ...fields)
const LONG = `Cookie: ${'a'.repeat(20_000)}`
const LENGTHS = ['Content-Length: 3', 'Transfer-Encoding: chunked']

/** Requests that Node's parser turns down, each with its method and path, and the remedy. */
export const turnedDown: Readonly<Record<string, Refused>> = {
  'a method in small letters': [request(`patch ${PATH}?token=s3cr3t`), 'patch', PATH, /capitals: PATCH/],
  'a method in mixed letters': [request('Get /~w-1/x'), 'Get', '/~w-1/x', /capitals: GET/],
  'https to the http port': [TLS_HELLO, null, null, /http:\/\//],
  'letters beyond ASCII in the URL': [request(`GET ${PATH}?a=Zoë`), 'GET', PATH, /encodeURIComponent/],
  'a blank in the URL': [request(`GET ${PATH}?a=b c`), 'GET', PATH, /encodeURIComponent/],
  'a control character in a token': [get('X-Token: s3cr3t\u0001'), 'GET', PATH, /Remove it/],
  'a line end in a token': [get('X-Token: s3cr3t\nb'), 'GET', PATH, /Remove it/],
  'a long head': [get(LONG), 'GET', PATH, /fewer or shorter/],
  'no request line': ['hello\r\n\r\n', null, null, /HTTP\/1\.1/],
  'a header without a name': [get(': x'), 'GET', PATH, /Remove it/],
  'a length that is no number': [request(`POST ${PATH}`, 'Content-Length: many'), 'POST', PATH, /one of them/],
  'an unknown method': [request(`FOO ${PATH}`), 'FOO', PATH, /Use GET/],
  'no slash': [request('GET api/v2'), null, null, /with a slash/],
  'another version': [head(`GET ${PATH} HTTP/3.0`, 'Host: x'), 'GET', PATH, /Use HTTP\/1\.1/],
  'two lengths': [request(`POST ${PATH}`, ...LENGTHS), 'POST', PATH, /one of them/],
}
