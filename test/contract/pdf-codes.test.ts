import { readFileSync } from 'node:fs'
import t from 'tap'
import { verifyDocument } from '../../schemas/verify-document.js'
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
function modernPdfOf(info: string): Buffer {
  const stream = `<< /Type /ObjStm /N 1 /First 4 /Length ${info.length + 4} >>\nstream\n9 0 ${info}`
  const content = `%PDF-1.5\n5 0 obj\n${stream}\nendstream\nendobj\n`
  const references = '6 0 obj\n<< /Type /XRef /Size 20 /W [1 2 1] /Root 1 0 R /Info 9 0 R /Length 0 >>\nstream\n'
  return Buffer.from(`${content}${references}\nendstream\nendobj\nstartxref\n${content.length}\n%%EOF\n`, 'latin1')
}

const INFO = '/Info 9 0 R'
const info = (code: string, before = '') =>
  `<< /Title (a \\( b (c) >> d) ${before}/DocumentCode ${code} /Custom << /x [1] >> >>`

const TAMPERED = [422, `the PDF 'a.pdf' claims to be '${CODE}'`]
const UNKNOWN = [404, "has this file's fingerprint"]
const ENCRYPTED = [422, "the PDF 'a.pdf' is encrypted"]
const DAMAGED = [422, "the PDF 'a.pdf' is damaged"]

const plain = (trailer: string) => pdfOf({}, trailer)
const modern = modernPdfOf(info(`(${CODE})`)).toString('latin1')
const latin1 = (text: string) => Buffer.from(text, 'latin1')

const verified = readFileSync('fixtures/files/verified.pdf', 'latin1')
const half = Math.floor(verified.length / 2)
const other = readFileSync('fixtures/files/unknown.pdf', 'latin1')
const place = other.length + '7 0 obj\n(x)\nendobj\n'.length
const added = `7 0 obj\n(x)\nendobj\nxref\n7 1\n${String(other.length).padStart(10, '0')} 00000 n \n`
const update = `${added}trailer\n<< /Size 8 /Root 1 0 R /Prev 618 >>\nstartxref\n${place}\n%%EOF\n`

/** What PDFs are answered with. */
const files: Readonly<Record<string, readonly [answer: typeof TAMPERED, file: Buffer]>> = {
  'a code': [TAMPERED, pdfOf({ 9: info(`(${CODE})`) }, INFO)],
  'a code in a stream that is not compressed': [TAMPERED, modernPdfOf(info(`(${CODE})`))],
  'a code in another Info dictionary': [TAMPERED, pdfOf({ 9: info('()'), 19: info(`(${CODE})`) }, '/Info 19 0 R')],
  'a code in a comment': [UNKNOWN, pdfOf({ 9: info('()', `% /DocumentCode (${CODE})\n`) }, INFO)],
  'a code in another string': [UNKNOWN, pdfOf({ 9: info('()', `/Subject (/DocumentCode (${CODE})) `) }, INFO)],
  'a code that is a name': [UNKNOWN, pdfOf({ 9: info(`/${CODE}`) }, INFO)],
  'a code that an edit changed': [UNKNOWN, pdfOf({ 9: info(`(${CODE})`), ' 9': info('(DOC-none)') }, INFO)],
  'an Info dictionary that is missing': [UNKNOWN, plain(INFO)],
  'an Info dictionary that does not end': [UNKNOWN, pdfOf({ 9: `<< /DocumentCode (${CODE}` }, INFO)],
  'encrypted by its trailer': [ENCRYPTED, plain('/Encrypt 7 0 R')],
  'encrypted by its cross-reference stream': [ENCRYPTED, latin1(modern.replace('/Size 20', '/Size 20 /Encrypt 7 0 R'))],
  'no catalog': [DAMAGED, latin1(modern.replace('/Root 1 0 R', ''))],
  'no trailer': [DAMAGED, latin1(plain('').toString('latin1').replace('trailer', ''))],
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

t.test('a PDF is whole or damaged, and a known code over other bytes is tampered', async (t) => {
  const server = await build(t)
  for (const [what, [answer, content]] of Object.entries(files)) {
    const file = fileOf(content, 'a.pdf', 'application/pdf')
    const { status, body } = answerOf(await send(server, verifyDocument, { form: { file, code: undefined } }))
    t.match([status, body.error?.message], answer, what)
  }
})
