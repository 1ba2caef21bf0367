import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { verifyDocument } from '../../schemas/verify-document.js'
import { seededDraws } from '../../src/world/seeded.js'
import { answerOf, build, fileOf, send } from '../helper.js'

const CODE = 'DOC-2025-0001'

/** A PDF of these objects, by their numbers; `trailer` is what its trailer says beside the catalog. */
function pdfOf(objects: Readonly<Record<string, string>>, trailer: string): Buffer {
  const body = Object.entries(objects).map(([number, object]) => `${number} 0 obj\n${object}\nendobj\n`)
  const content = ['%PDF-1.4\n', '1 0 obj\n<< /Type /Catalog >>\nendobj\n', ...body].join('')
  const table = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 20 /Root 1 0 R ${trailer} >>\n`
  return Buffer.from(`${content}${table}startxref\n${content.length}\n%%EOF\n`, 'latin1')
}

/** One whose trailer is the dictionary of a cross-reference stream, and whose objects are in a stream. */
function modernPdfOf(objects: Readonly<Record<string, string>>, isPacked = true): Buffer {
  const texts = Object.values(objects)
  const places = texts.map((_, at) => texts.slice(0, at).join(' ').length + (at === 0 ? 0 : 1))
  const list = Object.keys(objects)
    .map((number, at) => `${number} ${places[at]} `)
    .join('')
  const plain = Buffer.from(list + texts.join(' '), 'latin1')
  const data = (isPacked ? deflateSync(plain) : plain).toString('latin1')
  const filter = isPacked ? '/Filter [/FlateDecode]' : ''
  const stream = `<< /Type /ObjStm /N ${texts.length} /First ${list.length} /Length ${data.length} ${filter} >>`
  const content = `%PDF-1.5\n5 0 obj\n${stream}\nstream\n${data}\nendstream\nendobj\n`
  const references = '6 0 obj\n<< /Type /XRef /Size 20 /W [1 2 1] /Root 1 0 R /Info 9 0 R /Length 0 >>\nstream\n'
  const end = `${references}\nendstream\nendobj\nstartxref\n${content.length}\n%%EOF\n`
  return Buffer.from(content + end, 'latin1')
}

const utf16 = (text: string) => `\u00fe\u00ff${Array.from(text, (one) => `\0${one}`).join('')}`
const hex = (text: string) => `<${Buffer.from(text, 'latin1').toString('hex')}>`
const octal = Array.from(CODE, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')

/** How producers write the code into the Info dictionary. */
const strings: Readonly<Record<string, string>> = {
  'as it is': `(${CODE})`,
  'in octal digits': `(${octal})`,
  'over two lines': '(DOC-2025\\\n-0001)',
  'in hexadecimal digits': hex(CODE),
  'in hexadecimal digits, with blanks': hex(CODE).replaceAll('2d', ' 2D\n'),
  'in UTF-16': `(${utf16(CODE)})`,
  'in UTF-16 and hexadecimal digits': hex(utf16(CODE)),
  'in UTF-8': `(\u00ef\u00bb\u00bf${CODE})`,
  'in an object of its own': '8 0 R',
}

const INFO = '/Info 9 0 R'
const info = (code: string, before = '') =>
  `<< /Title (a \\( b (c) >> d) ${before}/DocumentCode ${code} /Custom << /x [1] >> >>`

const TAMPERED = [422, `the PDF 'a.pdf' claims to be '${CODE}'`]
const UNKNOWN = [404, "has this file's fingerprint"]
const ENCRYPTED = [422, "the PDF 'a.pdf' is encrypted"]
const DAMAGED = [422, "the PDF 'a.pdf' is damaged"]

const plain = (trailer: string) => pdfOf({}, trailer)
const modern = modernPdfOf({ 9: info(`(${CODE})`) }).toString('latin1')
const latin1 = (text: string) => Buffer.from(text, 'latin1')

const verified = readFileSync('fixtures/files/verified.pdf', 'latin1')
const half = Math.floor(verified.length / 2)
const other = readFileSync('fixtures/files/unknown.pdf', 'latin1')
const place = other.length + '7 0 obj\n(x)\nendobj\n'.length
const added = `7 0 obj\n(x)\nendobj\nxref\n7 1\n${String(other.length).padStart(10, '0')} 00000 n \n`
const update = `${added}trailer\n<< /Size 8 /Root 1 0 R /Prev 618 >>\nstartxref\n${place}\n%%EOF\n`

/** What PDFs are answered with. */
const files: Readonly<Record<string, readonly [answer: typeof TAMPERED, file: Buffer]>> = {
  ...Object.fromEntries(
    Object.entries(strings).map(([how, code]) => [
      `a code ${how}`,
      [TAMPERED, pdfOf({ 8: `(${CODE})`, 9: info(code) }, INFO)],
    ]),
  ),
  'a code among compressed objects': [TAMPERED, modernPdfOf({ 1: '<< /Type /Catalog >>', 9: info(`(${CODE})`) })],
  'a code in an object of its own among them': [TAMPERED, modernPdfOf({ 8: `(${CODE})`, 9: info('8 0 R') })],
  'a code in a stream that is not compressed': [TAMPERED, modernPdfOf({ 9: info(`(${CODE})`) }, false)],
  'a code in another Info dictionary': [TAMPERED, pdfOf({ 9: info('()'), 19: info(`(${CODE})`) }, '/Info 19 0 R')],
  'a code that another object has': [UNKNOWN, pdfOf({ 9: info('()'), 19: info(`(${CODE})`) }, INFO)],
  'a code in a comment': [UNKNOWN, pdfOf({ 9: info('()', `% /DocumentCode (${CODE})\n`) }, INFO)],
  'a code in another string': [UNKNOWN, pdfOf({ 9: info('()', `/Subject (/DocumentCode (${CODE})) `) }, INFO)],
  'a code that is a name': [UNKNOWN, pdfOf({ 9: info(`/${CODE}`) }, INFO)],
  'a code that an edit changed': [UNKNOWN, pdfOf({ 9: info(`(${CODE})`), ' 9': info('(DOC-none)') }, INFO)],
  'an Info dictionary that is missing': [UNKNOWN, plain(INFO)],
  'an Info dictionary that does not end': [UNKNOWN, pdfOf({ 9: `<< /DocumentCode (${CODE}` }, INFO)],
  'encrypted by its trailer': [ENCRYPTED, plain('/Encrypt 7 0 R')],
  'encrypted by its cross-reference stream': [ENCRYPTED, latin1(modern.replace('/Size 20', '/Size 20 /Encrypt 7 0 R'))],
  'no catalog': [DAMAGED, latin1(modern.replace('/Root 1 0 R', ''))],
  'a trailer that does not end': [DAMAGED, plain('(')],
  'no trailer': [DAMAGED, latin1(plain('').toString('latin1').replace('trailer', ''))],
  'cross-references before it that are elsewhere': [DAMAGED, plain('/Prev 12')],
  'its middle cut out': [DAMAGED, latin1(verified.slice(0, half) + verified.slice(half + 500))],
  'its end cut off': [DAMAGED, latin1(verified.slice(0, verified.lastIndexOf('startxref')))],
  'startxref past its end': [DAMAGED, latin1(verified.replace(/startxref\s+\d+/, 'startxref\n99999999'))],
  'no more than a signature': [DAMAGED, latin1('%PDF-')],
  'a beginning and an end': [DAMAGED, latin1('%PDF-1.7\n%%EOF')],
  'no objects': [DAMAGED, latin1(`%PDF-1.7\n${'x'.repeat(5000)}startxref\n9\n%%EOF`)],
  'carriage returns': [UNKNOWN, latin1(other.replace(/startxref\n(\d+)\n%%EOF\n/, 'startxref\r$1\r%%EOF\r'))],
  'an earlier end, as in linearized files': [
    UNKNOWN,
    latin1(other.replace('startxref', 'startxref\n0\n%%EOF\nstartxref')),
  ],
  'something before its header': [UNKNOWN, latin1(`\n\n${other}`)],
  'something after its end': [UNKNOWN, latin1(`${other}\n\0\0\0`)],
  'an incremental update': [UNKNOWN, latin1(other + update)],
  'lines that end otherwise': [DAMAGED, latin1(modern.replaceAll('\n', '\r\n'))],
}

t.test('a PDF is read however it is written: a known code over other bytes is tampered', async (t) => {
  const server = await build(t)
  for (const [what, [answer, content]] of Object.entries(files)) {
    const file = fileOf(content, 'a.pdf', 'application/pdf')
    const { status, body } = answerOf(await send(server, verifyDocument, { form: { file, code: undefined } }))
    t.match([status, body.error?.message], answer, what)
  }
})

const VERIFIED = readFileSync('fixtures/files/verified.pdf')

const MEGABYTE = 1024 * 1024

/** A PDF with that content, whose Info dictionary would be its object 9. */
function pdfWith(content: Buffer): Buffer {
  const head = Buffer.from('%PDF-1.5\n')
  const end = `\nxref\n0 0\ntrailer\n<< /Root 1 0 R /Info 9 0 R >>\nstartxref\n${head.length + content.length}\n%%EOF\n`
  return Buffer.concat([head, content, Buffer.from(end)])
}

/** A stream of compressed objects. */
function objectStream(packed: Buffer): Buffer {
  const dictionary = '\n1 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\n'
  return Buffer.concat([Buffer.from(dictionary), packed, Buffer.from('\nendstream\nendobj\n')])
}

/** Contents that would take long, or much memory, if they were read without limits. */
const hostile: Readonly<Record<string, () => Buffer>> = {
  'a stream that unpacks to 300 MB': () => objectStream(deflateSync(Buffer.alloc(300 * MEGABYTE), { level: 1 })),
  'a thousand streams of 4 MB': () => {
    const packed = objectStream(deflateSync(Buffer.alloc(4 * MEGABYTE)))
    return Buffer.concat(Array.from({ length: 1_000 }, () => packed))
  },
  'nothing but beginnings of streams': () => Buffer.alloc(20 * MEGABYTE, '1 0 obj<</Type/ObjStm/First 9>>stream\n'),
  'nothing but beginnings of objects': () => Buffer.alloc(20 * MEGABYTE, '19 0 obj'),
  'strings that do not end': () => Buffer.concat([Buffer.from('\n9 0 obj <<'), Buffer.alloc(20 * MEGABYTE, '(')]),
  'dictionaries in dictionaries': () => Buffer.concat([Buffer.from('\n9 0 obj '), Buffer.alloc(20 * MEGABYTE, '<<')]),
}

/** A PDF with bytes changed, cut out, or repeated. */
function mutate(pdf: Buffer, draw: (below: number) => number): Buffer {
  const at = draw(pdf.length)
  const length = 1 + draw(500)
  const middle: readonly (() => Buffer)[] = [
    () => Buffer.alloc(0),
    () => Buffer.from(pdf.subarray(at, at + length).map((byte) => byte ^ (1 << draw(8)))),
    () => Buffer.concat([pdf.subarray(at, at + length), pdf.subarray(at, at + length)]),
    () => Buffer.from(String(draw(10_000_000))),
  ]
  const change = middle[draw(middle.length)] as () => Buffer
  return Buffer.concat([pdf.subarray(0, at), change(), pdf.subarray(at + length)])
}

t.test('a PDF that is made to take long is answered soon, within little memory', async (t) => {
  const server = await build(t)
  for (const [what, content] of Object.entries(hostile)) {
    const file = fileOf(pdfWith(content()), 'hostile.pdf', 'application/pdf')
    const [memory, began] = [process.memoryUsage().rss, performance.now()]
    const answer = await send(server, verifyDocument, { form: { file, code: undefined } })
    t.equal(answer.statusCode, 404, `${what}: nobody knows it`)
    t.ok(performance.now() - began < 10_000, `${what}: it takes no ten seconds`)
    t.ok(process.memoryUsage().rss - memory < 300 * MEGABYTE, `${what}: memory stays within its limits`)
  }
})

t.test('no damaged PDF is a 500', async (t) => {
  const server = await build(t)
  const next = seededDraws('damaged')
  const draw = (below: number) => Math.floor(next() * below)
  for (let nth = 0; nth < 400; nth++) {
    const file = fileOf(mutate(VERIFIED, draw), `mutated-${nth}.pdf`, 'application/pdf')
    const { statusCode } = await send(server, verifyDocument, { form: { file, code: undefined } })
    t.ok([200, 400, 404, 422].includes(statusCode), `mutation ${nth} is answered as documented`, { statusCode })
  }
})
