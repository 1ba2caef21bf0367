import { HISTORIES } from '../helper.js'
import { head } from '../wire.js'

export const PATH = HISTORIES.split('?')[0] as string
export const TLS_HELLO = Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]), Buffer.alloc(512, 1)])

type Refused = readonly [sent: string | Buffer, method: string | null, url: string | null, fix: RegExp]

/** Requests that Node's parser turns down, each with its method and path, and the remedy. */
export const turnedDown: Readonly<Record<string, Refused>> = {
  'a method in small letters': [
    head(`patch ${PATH}?token=s3cr3t HTTP/1.1`, 'Host: x'),
    'patch',
    PATH,
    /capitals: PATCH/,
  ],
  'a method in mixed letters': [head('Get /~w-1/x HTTP/1.1', 'Host: x'), 'Get', '/~w-1/x', /capitals: GET/],
  'https to the http port': [TLS_HELLO, null, null, /http:\/\//],
  'letters beyond ASCII in the URL': [head(`GET ${PATH}?a=Zoë HTTP/1.1`, 'Host: x'), 'GET', PATH, /encodeURIComponent/],
  'a blank in the URL': [head(`GET ${PATH}?a=b c HTTP/1.1`, 'Host: x'), 'GET', PATH, /encodeURIComponent/],
  'a control character in a token': [
    head(`GET ${PATH} HTTP/1.1`, 'Host: x', 'X-Token: s3cr3t\u0001'),
    'GET',
    PATH,
    /Remove it/,
  ],
  'a line end in a token': [head(`GET ${PATH} HTTP/1.1`, 'Host: x', 'X-Token: s3cr3t\nb'), 'GET', PATH, /Remove it/],
  'a long head': [
    head(`GET ${PATH} HTTP/1.1`, 'Host: x', `Cookie: ${'a'.repeat(20_000)}`),
    'GET',
    PATH,
    /fewer or shorter/,
  ],
  'two lengths': [
    head(`POST ${PATH} HTTP/1.1`, 'Host: x', 'Content-Length: 3', 'Transfer-Encoding: chunked'),
    'POST',
    PATH,
    /one of them/,
  ],
}
