import type { Contract } from '../../schemas/contract.js'
import { BOUNDARY } from '../helper.js'
import { bounded, bytes, CRLF, end, file, form, part, raw, type Sending, TEXT, text } from './forms.js'

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
