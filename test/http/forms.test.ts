import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { fixtureFile, lastExchange } from '../helper.js'
import { type Chunks, listening, rawRequest, type Sending } from '../wire.js'

const PNG = fixtureFile('signature.png').content
const SHA256 = createHash('sha256').update(PNG).digest('hex')

/** The bytes of a form that is written with bare line feeds, and IMAGE in the place of the image. */
function bytesOf(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): Buffer {
  const [before = '', ...after] = text.replaceAll('\n', '\r\n').split('IMAGE')
  return Buffer.concat([Buffer.from(before, encoding), ...after.flatMap((one) => [PNG, Buffer.from(one, encoding)])])
}

async function* paused(bytes: Buffer) {
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
const typed = (type: string, text = FORM) => rawRequest(bytesOf(text), { type })
const whole = (sending?: Sending) => rawRequest(bytesOf(FORM), { type: MULTIPART, ...sending })
const named = (filename: string) => form(FILE_NAME, filename)
const bounded = (boundary: string, written = boundary) =>
  typed(`multipart/form-data; boundary=${written}`, FORM.replaceAll('--X', `--${boundary}`))

/** What is sent, and the file name that arrives where it is not s.png. */
const dialects: Readonly<Record<string, readonly [Chunks, filename?: string]>> = {
  'as browsers write it': [whole()],
  'quoted boundary (Qt, .NET)': [typed('multipart/form-data; boundary="X"')],
  'charset after the boundary (Apache)': [typed('multipart/form-data; boundary=X; charset=UTF-8')],
  'charset before the boundary': [typed('multipart/form-data;charset=UTF-8;boundary=X')],
  'upper case and odd spaces in the type': [typed('Multipart/Form-Data ;  BOUNDARY=X')],
  'chunked body (Go, Symfony, JDK)': [whole({ chunked: true })],
  'a pause of more than a second': [paused(Buffer.concat(whole()))],
  'one byte a write': [Array.from(Buffer.concat(whole()), (byte) => Buffer.from([byte]))],
  'Expect: 100-continue (curl)': [whole({ lines: ['Expect: 100-continue'] })],
  'h2c upgrade on the POST (JDK)': [
    whole({ lines: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB'] }),
  ],
  'part lengths and transfer encodings (Guzzle, OkHttp)': [
    form(TEXT, `${TEXT}Content-Length: 8\nContent-Transfer-Encoding: 8bit\n`),
  ],
  'an image that is declared as not encoded': [form('image/png', 'image/png\nContent-Transfer-Encoding: BINARY')],
  'part headers in lower case (Playwright, aiohttp)': [form('Content-Disposition', 'content-disposition')],
  'type first (Playwright, aiohttp)': [
    form(
      'Content-Disposition: form-data; name="file"; filename="s.png"\nContent-Type: image/png',
      'Content-Type: image/png\nContent-Disposition: form-data; name="file"; filename="s.png"',
    ),
  ],
  'no spaces': [form(': form-data; name', ':form-data;name')],
  'no quotes': [form('name="file"; filename="s.png"', 'name=file; filename=s.png')],
  'typed text parts': [form(TEXT, `${TEXT}Content-Type: text/plain; charset=utf-8\n`)],
  'text declared as latin-1': [
    rawRequest(bytesOf(FORM.replace(TEXT, `${TEXT}Content-Type: text/plain; charset=iso-8859-1\n`), 'latin1'), {
      type: MULTIPART,
    }),
  ],
  'text declared as JSON': [
    form('name="source"\n\ndrawn ø', 'name="source"\nContent-Type: application/json\n\n"drawn ø"'),
  ],
  'text declared as octets': [form(TEXT, `${TEXT}Content-Type: application/octet-stream\n`)],
  'fields before the file (Mojolicious)': [
    typed(MULTIPART, FORM.replace(SOURCE, '').replace('--X\n', `${SOURCE}--X\n`)),
  ],
  'short boundary (LWP)': [bounded('xYz')],
  'boundary of odd characters': [bounded("'()+_,-./:=?", `"'()+_,-./:=?"`)],
  'longest boundary of RFC 2046': [bounded('b'.repeat(70))],
  'a body that is declared as not encoded': [whole({ lines: ['Content-Encoding: identity'] })],
  'a header in two lines': [form('form-data; name="source"', 'form-data;\n\tname="source"')],
  preamble: [typed(MULTIPART, `This is a multipart message.\n${FORM}`)],
  epilogue: [typed(MULTIPART, `${FORM}goodbye\n--X\nnot a part`)],
  'no line end after the last boundary': [form('--X--\n', '--X--')],
  'quotes in the file name as %22': [named('filename="a%22b.png"'), 'a%22b.png'],
  'quotes in the file name as they are': [named('filename="a"b.png"'), 'a'],
  'quotes in the file name with a backslash': [named('filename="a\\"b.png"'), 'a"b.png'],
  'UTF-8 in the file name, raw': [named('filename="åß 署名.png"'), 'åß 署名.png'],
  'UTF-8 in the file name, extended': [named(`filename="s.png"; filename*=UTF-8''%C3%A5.png`)],
  'question marks in the file name': [named('filename="??.png"'), '??.png'],
  'a path as the file name': [named('filename="C:\\\\fakepath\\\\s.png"')],
  'an upward path as the file name': [named('filename="../../etc/s.png"')],
  'an empty file name': [named('filename=""'), ''],
  'a file without a name': [form('; filename="s.png"', ''), ''],
  'a file without a type': [form('Content-Type: image/png\n', '')],
}

t.test('every dialect of multipart/form-data is understood', async (t) => {
  const { server, exchange } = await listening(t)
  for (const [dialect, [chunks, filename = 's.png']] of Object.entries(dialects)) {
    const { status, body, interim } = await exchange(chunks)
    t.equal(status, 200, `${dialect}: it is accepted`, { body })
    const { request, violations } = await lastExchange(server)
    t.match(request.body, { file: { filename, sha256: SHA256 }, source: 'drawn ø' }, `${dialect}: all arrives intact`)
    const codes = violations.map(({ code }) => code)
    t.same(codes, filename === '' ? ['nameless-file'] : [], `${dialect}: a file without a name is noted`)
    t.same(interim, dialect.startsWith('Expect') ? [100] : [], `${dialect}: 100 Continue is sent only on request`)
  }
})

const CUT_OFF = ['cut-off-body', /cut off/] as const
const NAMELESS = ['unreadable-part', /has no name/] as const
const RESERVED = ['unreadable-part', /reserved name/] as const

const and = (part: string) => bytesOf(FORM.replace('--X--', `--X\nContent-Disposition: form-data; ${part}\n\nx\n--X--`))
const declaredAsJson = (text: string) =>
  bytesOf(FORM.replace('name="source"\n\ndrawn ø', `name="source"\nContent-Type: application/json\n\n${text}`))
const many = Array.from({ length: 2_000 }, (_, nth) => `--X\nContent-Disposition: form-data; name="f${nth}"\n\nx\n`)

/** What mistakes/bodies.txt does not have: what is sent as a form, the violation's code, what its message says, and how it is sent. */
type Malformed = readonly [body: string | Uint8Array, code: string, message: RegExp, sending?: Sending]

const malformed: Readonly<Record<string, Malformed>> = {
  'line feeds only': [FORM.replace('IMAGE', 'GIF89a'), 'cut-off-body', /lines do not end in CRLF/],
  'an empty boundary': [bytesOf(FORM), 'no-boundary', /has no boundary/, { type: 'multipart/form-data; boundary=""' }],
  'a body cut off after a part': [bytesOf(FORM.replace('--X--\n', '')), ...CUT_OFF],
  'a body cut off in a file': [bytesOf(FORM).subarray(0, 500), ...CUT_OFF],
  'a body cut off in a part header': [bytesOf(FORM).subarray(0, 40), ...CUT_OFF],
  'a chunked body cut off': [bytesOf(FORM).subarray(0, 500), ...CUT_OFF, { chunked: true }],
  'no parts at all': ['Hello', 'not-multipart', /is text, but its Content-Type is multipart/],
  'a nameless file': [bytesOf(FORM.replace('; name="file"', '')), ...NAMELESS],
  'an empty name': [and('name=""'), ...NAMELESS],
  'the name constructor': [and('name="constructor"'), ...RESERVED],
  'the name toString, of a file': [and('name="toString"; filename="x"'), ...RESERVED],
  'a part of JSON that is cut off, five thousand levels deep': [
    declaredAsJson('['.repeat(5_000)),
    'unreadable-part',
    /'source'/,
  ],
  '2,000 parts': [bytesOf(many.join('') + FORM), 'unreadable-part', /more than 1000 parts/],
  'a JSON Content-Type without a body': ['', 'not-multipart', /'application\/json'/, { type: 'application/json' }],
  'an invalid Content-Type': [bytesOf(FORM), 'not-multipart', /sent as ';;'/, { type: ';;' }],
  'no Content-Type': [bytesOf(FORM), 'no-content-type', /has no Content-Type/, { type: null }],
}

for (const contract of (contracts as readonly Contract[]).filter(({ form }) => form !== undefined)) {
  const status = contract.invalidStatus
  t.test(`${contract.id} answers ${status} to a malformed form, says how to fix it, and keeps serving`, async (t) => {
    const { server, exchange } = await listening(t)
    for (const [fault, [body, code, message, sending]] of Object.entries(malformed)) {
      const answer = await exchange(rawRequest(body, { contract, type: MULTIPART, ...sending }))
      t.match([answer.status, JSON.parse(answer.body)], [status, { error: { code: status, message } }], fault)
      const violations = [{ code, fix: /.{10}/ }]
      t.match(await lastExchange(server), { status, violations }, `${fault}: the journal has a fix`)
    }
    t.equal((await exchange(whole())).status, 200, 'the server still answers')
  })
}

t.test('a long part without a Content-Disposition keeps no client waiting', async (t) => {
  const { server, exchange } = await listening(t)
  const long = `--X\r\nContent-Type: image/png\r\n\r\n${'x'.repeat(3_000_000)}\r\n--X--\r\n`
  t.equal((await exchange(rawRequest(long, { type: MULTIPART }))).status, 422)
  t.match(await lastExchange(server), { violations: [{ code: 'missing-parameter', where: 'form.file' }] })
})

t.test('a part declared as JSON is decoded, and no digit of it is lost', async (t) => {
  const { server, exchange } = await listening(t)
  for (const [sent, kept] of [
    ['"drawn"', 'drawn'],
    ['1.10', '1.10'],
    ['12345678901234567890', '12345678901234567890'],
  ] as const) {
    await exchange(rawRequest(declaredAsJson(sent)))
    t.match((await lastExchange(server)).request, { body: { source: kept } }, sent)
  }
})
