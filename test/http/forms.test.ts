import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { fixtureFile, lastExchange } from '../helper.js'
import { type Chunks, listeningServer, type RawRequestOptions, rawRequest } from '../wire.js'

const PNG = fixtureFile('signature.png').content
const SHA256 = createHash('sha256').update(PNG).digest('hex')

/** Bytes of a form, with CRLF for each line feed, and the image for IMAGE. */
function bytesOf(text: string): Buffer {
  const [before = '', ...after] = text.replaceAll('\n', '\r\n').split('IMAGE')
  return Buffer.concat([Buffer.from(before), ...after.flatMap((part) => [PNG, Buffer.from(part)])])
}

async function* withPause(bytes: Buffer) {
  yield bytes.subarray(0, -50)
  await setTimeout(1_300)
  yield bytes.subarray(-50)
}

const FORM = `--X
Content-Disposition: form-data; name="file"; filename="s.png"
Content-Type: image/png

IMAGE
--X
Content-Disposition: form-data; name="source"

drawn ø
--X--
`

const MULTIPART = 'multipart/form-data; boundary=X'
const FILE_NAME = 'filename="s.png"'
const SOURCE = '--X\nContent-Disposition: form-data; name="source"\n\ndrawn ø\n'
const TEXT = 'name="source"\n'

const form = (from: string, to: string) => rawRequest(bytesOf(FORM.replaceAll(from, to)), { type: MULTIPART })
const withType = (type: string, text = FORM) => rawRequest(bytesOf(text), { type })
const complete = (options?: RawRequestOptions) => rawRequest(bytesOf(FORM), { type: MULTIPART, ...options })
const withFileName = (filename: string) => form(FILE_NAME, filename)
const withBoundary = (boundary: string, inHeader = boundary) =>
  withType(`multipart/form-data; boundary=${inHeader}`, FORM.replaceAll('--X', `--${boundary}`))

/** The bytes to send, and the expected file name if it is not s.png. */
const dialects: Readonly<Record<string, readonly [Chunks, filename?: string]>> = {
  'as browsers send it': [complete()],
  'quoted boundary (Qt, .NET)': [withType('multipart/form-data; boundary="X"')],
  'charset after the boundary (Apache)': [withType('multipart/form-data; boundary=X; charset=UTF-8')],
  'upper case and odd spaces in the type': [withType('Multipart/Form-Data ;  BOUNDARY=X')],
  'chunked body (Go, Symfony, JDK)': [complete({ chunked: true })],
  'a pause of more than a second': [withPause(Buffer.concat(complete()))],
  'one byte a write': [Array.from(Buffer.concat(complete()), (byte) => Buffer.from([byte]))],
  'Expect: 100-continue (curl)': [complete({ lines: ['Expect: 100-continue'] })],
  'h2c upgrade on the POST (JDK)': [
    complete({ lines: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB'] }),
  ],
  'part lengths and transfer encodings (Guzzle, OkHttp)': [
    form(TEXT, `${TEXT}Content-Length: 8\nContent-Transfer-Encoding: 8bit\n`),
  ],
  'part headers in lower case (Playwright, aiohttp)': [form('Content-Disposition', 'content-disposition')],
  'type first (Playwright, aiohttp)': [
    form(
      'Content-Disposition: form-data; name="file"; filename="s.png"\nContent-Type: image/png',
      'Content-Type: image/png\nContent-Disposition: form-data; name="file"; filename="s.png"',
    ),
  ],
  'no spaces': [form(': form-data; name', ':form-data;name')],
  'no quotes': [form('name="file"; filename="s.png"', 'name=file; filename=s.png')],
  'text declared as JSON': [
    form('name="source"\n\ndrawn ø', 'name="source"\nContent-Type: application/json\n\n"drawn ø"'),
  ],
  'text declared as octet-stream': [form(TEXT, `${TEXT}Content-Type: application/octet-stream\n`)],
  'fields before the file (Mojolicious)': [
    withType(MULTIPART, FORM.replace(SOURCE, '').replace('--X\n', `${SOURCE}--X\n`)),
  ],
  'boundary of odd characters': [withBoundary("'()+_,-./:=?", `"'()+_,-./:=?"`)],
  'a body that is declared as not encoded': [complete({ lines: ['Content-Encoding: identity'] })],
  'a header in two lines': [form('form-data; name="source"', 'form-data;\n\tname="source"')],
  preamble: [withType(MULTIPART, `This is a multipart message.\n${FORM}`)],
  epilogue: [withType(MULTIPART, `${FORM}goodbye\n--X\nnot a part`)],
  'no line end after the last boundary': [form('--X--\n', '--X--')],
  'quotes in the file name as %22': [withFileName('filename="a%22b.png"'), 'a%22b.png'],
  'quotes in the file name, raw': [withFileName('filename="a"b.png"'), 'a'],
  'quotes in the file name with a backslash': [withFileName('filename="a\\"b.png"'), 'a"b.png'],
  'UTF-8 in the file name, raw': [withFileName('filename="åß 署名.png"'), 'åß 署名.png'],
  'UTF-8 in the file name, extended': [withFileName(`filename="s.png"; filename*=UTF-8''%C3%A5.png`)],
  'a path as the file name': [withFileName('filename="C:\\\\fakepath\\\\s.png"')],
  'an empty file name': [withFileName('filename=""'), ''],
  'a file without a name': [form('; filename="s.png"', ''), ''],
  'a file without a type': [form('Content-Type: image/png\n', '')],
}

t.test('every dialect of multipart/form-data is understood', async (t) => {
  const { server, exchange } = await listeningServer(t)
  for (const [dialect, [chunks, filename = 's.png']] of Object.entries(dialects)) {
    const { status, body, interim } = await exchange(chunks)
    t.equal(status, 200, `${dialect}: the form is accepted`, { body })
    const { request, violations } = await lastExchange(server)
    t.match(request.body, { file: { filename, sha256: SHA256 }, source: 'drawn ø' }, `${dialect}: all parts arrive`)
    const codes = violations.map(({ code }) => code)
    t.same(codes, filename === '' ? ['nameless-file'] : [], `${dialect}: only a nameless file is reported`)
    t.same(interim, dialect.startsWith('Expect') ? [100] : [], `${dialect}: 100 Continue is sent only on request`)
  }
})

const CUT_OFF = ['cut-off-body', /cut off/] as const
const NAMELESS = ['unreadable-part', /has no name/] as const
const RESERVED = ['unreadable-part', /reserved name/] as const

const withPart = (part: string) =>
  bytesOf(FORM.replace('--X--', `--X\nContent-Disposition: form-data; ${part}\n\nx\n--X--`))
const declaredAsJson = (text: string) =>
  bytesOf(FORM.replace('name="source"\n\ndrawn ø', `name="source"\nContent-Type: application/json\n\n${text}`))
const parts = Array.from({ length: 2_000 }, (_, nth) => `--X\nContent-Disposition: form-data; name="f${nth}"\n\nx\n`)

/** Forms that mistakes/bodies.txt lacks. */
type Malformed = readonly [body: string | Uint8Array, code: string, message: RegExp, options?: RawRequestOptions]

const malformed: Readonly<Record<string, Malformed>> = {
  'line feeds only': [FORM.replace('IMAGE', 'GIF89a'), 'cut-off-body', /lines do not end in CRLF/],
  'an empty boundary': [bytesOf(FORM), 'no-boundary', /has no boundary/, { type: 'multipart/form-data; boundary=""' }],
  'another boundary': [bytesOf(FORM), 'wrong-boundary', /'Y' of its/, { type: 'multipart/form-data; boundary=Y' }],
  'a body cut off in a part header': [bytesOf(FORM).subarray(0, 40), ...CUT_OFF],
  'a chunked body cut off': [bytesOf(FORM).subarray(0, 500), ...CUT_OFF, { chunked: true }],
  'a nameless file': [bytesOf(FORM.replace('; name="file"', '')), ...NAMELESS],
  'an empty name': [withPart('name=""'), ...NAMELESS],
  'the name constructor': [withPart('name="constructor"'), ...RESERVED],
  'cut-off JSON, five thousand levels deep': [declaredAsJson('['.repeat(5_000)), 'unreadable-part', /'source'/],
  '2,000 parts': [bytesOf(parts.join('') + FORM), 'unreadable-part', /more than 1000 parts/],
  'a JSON Content-Type without a body': ['', 'not-multipart', /'application\/json'/, { type: 'application/json' }],
  'an invalid Content-Type': [bytesOf(FORM), 'not-multipart', /sent as ';;'/, { type: ';;' }],
  'no Content-Type': [bytesOf(FORM), 'no-content-type', /has no Content-Type/, { type: null }],
}

for (const contract of (contracts as readonly Contract[]).filter(({ form }) => form !== undefined)) {
  const status = contract.invalidStatus
  t.test(`${contract.id} answers ${status} to malformed forms, with a fix, and keeps serving`, async (t) => {
    const { server, exchange } = await listeningServer(t)
    for (const [mistake, [body, code, message, options]] of Object.entries(malformed)) {
      const answer = await exchange(rawRequest(body, { contract, type: MULTIPART, ...options }))
      t.match([answer.status, JSON.parse(answer.body)], [status, { error: { code: status, message } }], mistake)
      const violations = [{ code, fix: /.{10}/ }]
      t.match(await lastExchange(server), { status, violations }, `${mistake}: the journal has a fix`)
    }
    t.equal((await exchange(complete())).status, 200, 'the server still answers')
  })
}

t.test('a long part without a Content-Disposition is answered at once', async (t) => {
  const { server, exchange } = await listeningServer(t)
  const long = `--X\r\nContent-Type: image/png\r\n\r\n${'x'.repeat(3_000_000)}\r\n--X--\r\n`
  t.equal((await exchange(rawRequest(long, { type: MULTIPART }))).status, 422)
  t.match(await lastExchange(server), { violations: [{ code: 'missing-parameter', where: 'form.file' }] })
})

t.test('a number in a part declared as JSON keeps all its digits', async (t) => {
  const { server, exchange } = await listeningServer(t)
  for (const [json, text] of [
    ['1.10', '1.10'],
    ['12345678901234567890', '12345678901234567890'],
  ] as const) {
    await exchange(rawRequest(declaredAsJson(json)))
    t.match((await lastExchange(server)).request, { body: { source: text } }, json)
  }
})
