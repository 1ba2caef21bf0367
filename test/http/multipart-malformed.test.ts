import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { UploadedFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { uploadSignature } from '../../schemas/index.js'
import { sha256 } from '../../src/text/digest.js'
import { BOUNDARY, fetched, lastExchange, requestOf } from '../helper.js'
import { type Chunks, listening } from '../wire.js'
import { dialects } from './dialects.js'
import { bytes, CRLF, end, FILE, file, form, PNG, part, raw, type Sending, TEXT, text } from './forms.js'
import { malformed, many } from './malformed.js'

const forms = (contracts as readonly Contract[]).filter(({ form }) => form !== undefined)

const extra = (headers: readonly string[], content: string | Uint8Array = 'eA==') =>
  bytes(file(), part(headers, content), end())
const TRANSFER = 'Content-Transfer-Encoding'
const BODY = ['encoded-body', 'body'] as const
const PART = ['encoded-part', 'form.source'] as const
const IN_FILE = ['encoded-part', 'form.file'] as const

/** What was encoded, or is no field (I-24): the body, or its coding; the violation's code, place and words. */
type Encoded = readonly [body: Uint8Array, code: string, where: string, words: RegExp, coding?: string]

const encoded: Readonly<Record<string, Encoded>> = {
  'plain bytes as gzip': [form, ...BODY, /Content-Encoding 'gzip'/, 'gzip'],
  'gzip as gzip': [gzipSync(form), ...BODY, /'gzip'/, 'gzip'],
  'brotli, in capitals': [form, ...BODY, /'BR'/, 'BR'],
  'two codings': [form, ...BODY, /'identity, deflate'/, 'identity, deflate'],
  'a part in base64': [
    extra([TEXT, `${TRANSFER}: base64`]),
    ...PART,
    /'source' has the Content-Transfer-Encoding 'base64'/,
  ],
  'a file in base64': [bytes(file([FILE, 'content-transfer-encoding: Base64']), end()), ...IN_FILE, /'base64'/],
  'a part in quoted-printable': [extra([TEXT, `${TRANSFER}: quoted-printable`]), ...PART, /'quoted-printable'/],
}

t.test('what is encoded is never taken for the data itself', async (t) => {
  const { server, exchange } = await listening(t)
  for (const contract of forms) {
    for (const [what, [sent, code, where, words, coding]] of Object.entries(encoded)) {
      const headers = coding === undefined ? [] : [`Content-Encoding: ${coding}`]
      const { status, body } = await exchange(raw(sent, { contract, headers }))
      const error = { code: contract.invalid, message: words }
      t.match([status, JSON.parse(body)], [contract.invalid, { error }], `${contract.id}, ${what}: it is refused`)
      const violation = { code, message: words, where, fix: /.{10}/, basis: 'reading', cites: ['I-24'] }
      t.match(lastExchange(server).violations, [violation], `${contract.id}, ${what}: the journal says why`)
    }
  }
})

for (const contract of forms) {
  const status = contract.invalid
  t.test(`${contract.id} answers ${status} to a malformed form, says how to fix it, and keeps serving`, async (t) => {
    const { server, exchange } = await listening(t)
    for (const [fault, sending] of Object.entries(malformed)) {
      const [chunks, code, words] = sending(contract)
      const answer = await exchange(chunks)
      const body = { error: { code: status, message: words } }
      t.match([answer.status, JSON.parse(answer.body)], [status, body], `${fault}: the answer says so`)
      const violations = [{ code, message: words, fix: /.{10}/ }]
      t.match(lastExchange(server), { status, violations }, `${fault}: the journal has a fix`)
    }
    t.equal((await exchange(raw(form))).status, 200, 'the server still answers')
  })
}

t.test('a body without any parts is a form without fields', async (t) => {
  const { exchange } = await listening(t)
  const empty = {
    'an empty body': raw(''),
    'a closing boundary': raw(end()),
    'a part of nothing (.NET)': raw(bytes(`--${BOUNDARY}${CRLF}${CRLF}`, end())),
    'no Content-Type': raw('', { type: null }),
  }
  const missing = "The form field 'file' is missing: send a file."
  for (const [sent, chunks] of Object.entries(empty)) {
    const { status, body } = await exchange(chunks)
    t.match([status, body], [422, missing], `${sent}: only the file is missing`)
  }
})

t.test('a refused body does not hold up the next request on its connection', async (t) => {
  const { converse } = await listening(t)
  const large = part([FILE], Buffer.alloc(3_000_000))
  const first = (disposition: string) =>
    raw(bytes(part([`Content-Disposition: form-data${disposition}`], 'x'), large, end()))
  const cases: Readonly<Record<string, readonly [Chunks, status?: number]>> = {
    'a nameless part first': [first('')],
    'a nameless file first': [first('; filename="x"')],
    'an empty name first': [first('; name=""')],
    'a long name first': [first(`; name="${'n'.repeat(2_000)}"`)],
    'a reserved name first': [first('; name="__proto__"')],
    'broken JSON first': [raw(bytes(part([TEXT, 'Content-Type: application/json'], '{'), large, end()))],
    'too many parts first': [raw(bytes(...many, large, end()))],
    'no last boundary': [raw(large)],
    'no boundary': [raw(large, { type: 'multipart/form-data' })],
    'another type': [raw(large, { type: 'text/plain' })],
    'an invalid Content-Type': [raw(large, { type: ';;' })],
    'a body that is never read': [raw(bytes(large, end()), { token: 'nobody' }), 401],
  }
  for (const [what, [chunks, refused = 422]] of Object.entries(cases)) {
    const answers = await converse([chunks, raw(form)])
    t.match(answers, [{ status: refused }, { status: 200 }], `${what}: the next request is answered`)
  }
})

t.test('a body over the limit gets 413, however it is sent, and is never cut silently', async (t) => {
  const limit = 100_000
  const { server, exchange } = await listening(t, { bodyLimit: limit })
  const big = 'x'.repeat(3_000_000)
  const withText = (content: string) => bytes(file(), text([TEXT], content), end())
  const texts = many.slice(0, 900).map(() => text([TEXT], 'x'.repeat(200)))
  const over: Readonly<Record<string, readonly [body: string | Uint8Array, Sending?]>> = {
    'a long text': [withText(big)],
    'a long text, chunked': [withText(big), { chunked: true }],
    'a text just over, chunked': [withText('x'.repeat(limit + 1)), { chunked: true }],
    'a large file': [bytes(part([FILE], bytes(PNG, big)), end())],
    'a large file, chunked': [bytes(part([FILE], bytes(PNG, big)), end()), { chunked: true }],
    'many texts, chunked': [bytes(file(), ...texts, end()), { chunked: true }],
    'a JSON body': [big, { type: 'application/json' }],
    'a JSON body, chunked': [big, { type: 'application/json', chunked: true }],
  }
  for (const [what, [sent, sending]] of Object.entries(over)) {
    const { status, headers, body } = await exchange(raw(sent, sending))
    const problem = { 'x-mock-error': 'body-too-large', 'content-type': /^application\/problem\+json/ }
    t.match([status, headers], [413, problem], `${what}: it is a problem`)
    t.match(JSON.parse(body), { status: 413, limit, detail: '--body-limit' }, `${what}: it states the limit`)
    const violation = { code: 'body-too-large', where: 'body', basis: 'reading', cites: ['I-16'], rule: /^I-16: / }
    const exchanged = { status: 413, outcome: null, violations: [violation] }
    t.match(lastExchange(server), exchanged, `${what}: the journal says that the limit is ours`)
  }
  const whole = withText('x'.repeat(limit - withText('').length))
  t.equal((await exchange(raw(whole))).status, 200, 'a body of exactly the limit is accepted')
})

t.test('a 401 reaches the client after a body of 20 MB', async (t) => {
  const { url, exchange } = await listening(t)
  const body = Buffer.alloc(20_000_000)
  const address = `${url}${requestOf(uploadSignature).url}`
  const post = { method: 'POST', headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
  const [head, all] = raw(body, { token: 'nobody' })
  t.equal((await exchange([head, all])).status, 401, 'a raw socket receives it')
  t.equal((await fetched(address, { ...post, body })).status, 401, 'fetch receives it')
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(address, post, (response) => resolve(response.resume().statusCode))
    request.on('error', reject).end(body)
  })
  t.equal(status, 401, 'node:http receives it')
})

t.test('every dialect of multipart/form-data is understood', async (t) => {
  const { server, exchange } = await listening(t)
  for (const [dialect, [chunks, filename = 's.png']] of Object.entries(dialects)) {
    const { status, body, interim } = await exchange(chunks)
    t.equal(status, 200, `${dialect}: it is accepted`, { body })
    const { form, violations } = lastExchange(server)
    const { file, source } = form as { readonly file: UploadedFile; readonly source: string }
    const seen = { filename: file.filename, sha256: file.sha256, source }
    t.same(seen, { filename, sha256: sha256(PNG), source: 'drawn ø' }, `${dialect}: file and text arrive intact`)
    const codes = violations.map(({ code }) => code)
    t.same(codes, filename === '' ? ['nameless-file'] : [], `${dialect}: but a file's name may miss`)
    t.same(interim, dialect.startsWith('Expect') ? [100] : [], `${dialect}: 100 Continue is sent only on request`)
  }
})
