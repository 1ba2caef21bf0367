import type { Contract } from '../../schemas/contract.js'
import { uploadSignature } from '../../schemas/index.js'
import { BOUNDARY, fixtureFile, requestOf } from '../helper.js'
import type { Chunks } from '../wire.js'

export const CRLF = '\r\n'
export const PNG = fixtureFile('signature.png').content

type Bytes = string | Uint8Array
export const bytes = (...pieces: readonly Bytes[]) => Buffer.concat(pieces.map((piece) => Buffer.from(piece)))

export const part = (headers: readonly string[], content: Bytes, boundary = BOUNDARY) =>
  bytes(`--${boundary}${CRLF}${headers.join(CRLF)}${CRLF}${CRLF}`, content, CRLF)
export const end = (boundary = BOUNDARY) => bytes(`--${boundary}--${CRLF}`)

export const FILE = 'Content-Disposition: form-data; name="file"; filename="s.png"'
export const TEXT = 'Content-Disposition: form-data; name="source"'
export const file = (headers = [FILE, 'Content-Type: image/png'], boundary = BOUNDARY) => part(headers, PNG, boundary)
export const text = (headers = [TEXT], content: Bytes = 'drawn ø') => part(headers, content)
export const form = bytes(file(), text(), end())

const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

export interface Sending {
  readonly contract?: Contract
  /** The whole Content-Type; null for none. */
  readonly type?: string | null
  readonly token?: string
  readonly headers?: readonly string[]
  readonly chunked?: boolean
}

/** The head and the body of a request as they go over the wire. */
export function raw(body: Bytes, sending: Sending = {}): [Buffer, Buffer] {
  const { contract = uploadSignature, type = MULTIPART, token = 'token-admin' } = sending
  const { method, url } = requestOf(contract)
  const length = sending.chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes(body).length}`
  const typed = type === null ? [] : [`Content-Type: ${type}`]
  const fields = ['Host: localhost', `Authorization: Bearer ${token}`, ...typed, length, ...(sending.headers ?? [])]
  const head = `${method} ${url} HTTP/1.1${CRLF}${fields.join(CRLF)}${CRLF}${CRLF}`
  return [bytes(head), sending.chunked ? chunked(bytes(body)) : bytes(body)]
}

function chunked(body: Buffer, size = 700): Buffer {
  return inChunks(
    Array.from({ length: Math.ceil(body.length / size) }, (_, nth) => body.subarray(nth * size, (nth + 1) * size)),
  )
}

/** A chunked body; an empty chunk would end it. */
function inChunks(pieces: readonly Uint8Array[]): Buffer {
  const chunks = pieces.filter(({ length }) => length > 0)
  return bytes(...chunks.flatMap((one) => [one.length.toString(16), CRLF, one, CRLF]), `0${CRLF}${CRLF}`)
}

const bounded = (boundary: string) => bytes(file(undefined, boundary), part([TEXT], 'drawn ø', boundary), end(boundary))

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

const withLineFeeds = Buffer.from(form.toString('latin1').replaceAll(CRLF, '\n'), 'latin1')
export const many = Array.from({ length: 2_000 }, (_, nth) =>
  part([`Content-Disposition: form-data; name="f${nth}"`], 'x'),
)
const reserved = (name: string, more = '') =>
  bytes(form.subarray(0, -end().length), part([`Content-Disposition: form-data; name="${name}"${more}`], 'x'), end())

const multipart = (boundary: string) => ({ type: `multipart/form-data; boundary=${boundary}` })
const asJson = (content: string) => bytes(file(), text([TEXT, 'Content-Type: application/json'], content), end())
const NAMELESS = ['unreadable-part', /has no name/] as const
const RESERVED = ['unreadable-part', /reserved name/] as const
const CUT_OFF = ['cut-off-body', /cut off/] as const
const NO_JSON = ['not-multipart', /'application\/json'/, { type: 'application/json' }] as const
const URLENCODED = 'application/x-www-form-urlencoded'

/** What is sent as a form, the violation's code, what its message says, and how it is sent. */
type Fault = readonly [body: string | Uint8Array, code: string, words: RegExp, sending?: Sending]

const faults: Readonly<Record<string, Fault>> = {
  'line feeds only': [withLineFeeds, 'cut-off-body', /lines do not end in CRLF/],
  'no boundary': [form, 'no-boundary', /has no boundary/, { type: 'multipart/form-data' }],
  'an empty boundary': [form, 'no-boundary', /has no boundary/, multipart('""')],
  'another boundary': [bounded('other'), 'cut-off-body', /boundary differs from the one/],
  'a body cut off after a part': [form.subarray(0, -end().length), ...CUT_OFF],
  'a body cut off in a file': [form.subarray(0, 500), ...CUT_OFF],
  'a body cut off in a part header': [form.subarray(0, 40), ...CUT_OFF],
  'a chunked body cut off': [form.subarray(0, 500), ...CUT_OFF, { chunked: true }],
  'no parts at all': ['Hello', 'cut-off-body', /ends before its closing boundary/],
  'a nameless text': [bytes(file(), text(['Content-Disposition: form-data']), end()), ...NAMELESS],
  'a nameless file': [bytes(file(['Content-Disposition: form-data; filename="s.png"']), end()), ...NAMELESS],
  'an empty name': [reserved(''), ...NAMELESS],
  'the name __proto__': [reserved('__proto__'), ...RESERVED],
  'the name constructor': [reserved('constructor'), ...RESERVED],
  'the name toString, of a file': [reserved('toString', '; filename="x"'), ...RESERVED],
  'a part declared as JSON that is not JSON': [
    asJson('{nonsense'),
    'unreadable-part',
    /^The form field 'source' is declared as application\/json but is not JSON\.$/,
  ],
  'a part of JSON that is cut off, five thousand levels deep': [
    asJson('['.repeat(5_000)),
    'unreadable-part',
    /'source'/,
  ],
  '2,000 parts': [bytes(...many, form), 'unreadable-part', /more than 1000 parts/],
  'a JSON body': ['{"role":"Admin"}', ...NO_JSON],
  'a broken JSON body': ['{"role":', ...NO_JSON],
  'a JSON Content-Type without a body': ['', ...NO_JSON],
  'a urlencoded body': ['role=Admin', 'not-multipart', /'application\/x-www-form-urlencoded'/, { type: URLENCODED }],
  'a text body': ['role=Admin', 'not-multipart', /'text\/plain'/, { type: 'text/plain' }],
  'multipart/mixed': [form, 'not-multipart', /multipart\/mixed/, { type: `multipart/mixed; boundary=${BOUNDARY}` }],
  'an invalid Content-Type': [form, 'not-multipart', /sent as ';;'/, { type: ';;' }],
  'no Content-Type': [form, 'no-content-type', /has no Content-Type/, { type: null }],
}

/** What an operation is sent, the violation's code, and what its message says. */
type Malformed = (contract: Contract) => readonly [chunks: [Buffer, Buffer], code: string, words: RegExp]

export const malformed: Readonly<Record<string, Malformed>> = Object.fromEntries(
  Object.entries(faults).map(([fault, [body, code, words, sending]]) => [
    fault,
    (contract) => [raw(body, { contract, ...sending }), code, words],
  ]),
)
