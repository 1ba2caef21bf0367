import type { Contract } from '../../schemas/contract.js'
import { BOUNDARY } from '../helper.js'
import type { Chunks } from '../wire.js'
import { bounded, bytes, CRLF, end, file, form, part, raw, TEXT, text } from './forms.js'

const withLineFeeds = Buffer.from(form.toString('latin1').replaceAll(CRLF, '\n'), 'latin1')
export const many = Array.from({ length: 2_000 }, (_, nth) =>
  part([`Content-Disposition: form-data; name="f${nth}"`], 'x'),
)
const reserved = (name: string, more = '') =>
  bytes(form.subarray(0, -end().length), part([`Content-Disposition: form-data; name="${name}"${more}`], 'x'), end())

/** What is sent, the violation's code, and what its message says. */
export const malformed: Readonly<Record<string, (contract: Contract) => readonly [Chunks, string, RegExp]>> = {
  'line feeds only': (contract) => [raw(withLineFeeds, { contract }), 'cut-off-body', /lines do not end in CRLF/],
  'no boundary': (contract) => [raw(form, { contract, type: 'multipart/form-data' }), 'no-boundary', /has no boundary/],
  'an empty boundary': (contract) => [
    raw(form, { contract, type: 'multipart/form-data; boundary=""' }),
    'no-boundary',
    /has no boundary/,
  ],
  'another boundary': (contract) => [
    raw(bounded('other'), { contract }),
    'cut-off-body',
    /boundary differs from the one/,
  ],
  'a boundary of 71 characters': (contract) => [
    raw(bounded('b'.repeat(71)), { contract, type: `multipart/form-data; boundary=${'b'.repeat(71)}` }),
    'boundary-too-long',
    /boundary .* too long/,
  ],
  'a boundary of 300 characters': (contract) => [
    raw(bounded('b'.repeat(300)), { contract, type: `multipart/form-data; boundary=${'b'.repeat(300)}` }),
    'boundary-too-long',
    /boundary .* too long/,
  ],
  'a body cut off after a part': (contract) => [
    raw(form.subarray(0, -end().length), { contract }),
    'cut-off-body',
    /cut off/,
  ],
  'a body cut off in a file': (contract) => [raw(form.subarray(0, 500), { contract }), 'cut-off-body', /cut off/],
  'a body cut off in a part header': (contract) => [raw(form.subarray(0, 40), { contract }), 'cut-off-body', /cut off/],
  'a chunked body cut off': (contract) => [
    raw(form.subarray(0, 500), { contract, chunked: true }),
    'cut-off-body',
    /cut off/,
  ],
  'no parts at all': (contract) => [raw('Hello', { contract }), 'cut-off-body', /ends before its closing boundary/],
  'a nameless text': (contract) => [
    raw(bytes(file(), text(['Content-Disposition: form-data']), end()), { contract }),
    'nameless-part',
    /has no name/,
  ],
  'a nameless file': (contract) => [
    raw(bytes(file(['Content-Disposition: form-data; filename="s.png"']), end()), { contract }),
    'nameless-part',
    /has no name/,
  ],
  'an empty name': (contract) => [raw(reserved(''), { contract }), 'nameless-part', /has no name/],
  'a name of 5,000 characters': (contract) => [
    raw(reserved('n'.repeat(5_000)), { contract }),
    'part-name-too-long',
    /longer than 1000/,
  ],
  'the name __proto__': (contract) => [raw(reserved('__proto__'), { contract }), 'reserved-part-name', /reserved name/],
  'the name constructor': (contract) => [
    raw(reserved('constructor'), { contract }),
    'reserved-part-name',
    /reserved name/,
  ],
  'the name toString, of a file': (contract) => [
    raw(reserved('toString', '; filename="x"'), { contract }),
    'reserved-part-name',
    /reserved name/,
  ],
  'a part declared as JSON that is not JSON': (contract) => [
    raw(bytes(file(), text([TEXT, 'Content-Type: application/json'], '{nonsense'), end()), { contract }),
    'unreadable-part',
    /^The form field 'source' is declared as application\/json but is not JSON\.$/,
  ],
  'a part declared as JSON that is cut off, five thousand levels deep': (contract) => [
    raw(bytes(file(), text([TEXT, 'Content-Type: application/json'], '['.repeat(5_000)), end()), { contract }),
    'unreadable-part',
    /'source'/,
  ],
  '2,000 parts': (contract) => [raw(bytes(...many, form), { contract }), 'too-many-parts', /more than 1000 parts/],
  'a JSON body': (contract) => [
    raw('{"role":"Admin"}', { contract, type: 'application/json' }),
    'not-multipart',
    /'application\/json'/,
  ],
  'a broken JSON body': (contract) => [
    raw('{"role":', { contract, type: 'application/json' }),
    'not-multipart',
    /'application\/json'/,
  ],
  'a JSON Content-Type without a body': (contract) => [
    raw('', { contract, type: 'application/json' }),
    'not-multipart',
    /'application\/json'/,
  ],
  'a urlencoded body': (contract) => [
    raw('role=Admin', { contract, type: 'application/x-www-form-urlencoded' }),
    'not-multipart',
    /'application\/x-www-form-urlencoded'/,
  ],
  'a text body': (contract) => [raw('role=Admin', { contract, type: 'text/plain' }), 'not-multipart', /'text\/plain'/],
  'multipart/mixed': (contract) => [
    raw(form, { contract, type: `multipart/mixed; boundary=${BOUNDARY}` }),
    'not-multipart',
    /multipart\/mixed/,
  ],
  'an invalid Content-Type': (contract) => [
    raw(form, { contract, type: ';;' }),
    'malformed-content-type',
    /';;' is not a media type/,
  ],
  'no Content-Type': (contract) => [raw(form, { contract, type: null }), 'no-content-type', /has no Content-Type/],
}
