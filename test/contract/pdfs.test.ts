import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { verifyDocument } from '../../schemas/verify-document.js'
import { answerOf, build, fileOf, send } from '../helper.js'

const VERIFIED = readFileSync('fixtures/files/verified.pdf')

const MEGABYTE = 1024 * 1024

/** A PDF with that content, whose Info dictionary would be its object 9. */
function pdfWith(content: Buffer): Buffer {
  const head = Buffer.from('%PDF-1.5\n')
  const end = `\nxref\n0 0\ntrailer\n<< /Root 1 0 R /Info 9 0 R >>\nstartxref\n${head.length + content.length}\n%%EOF\n`
  return Buffer.concat([head, content, Buffer.from(end)])
}

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

t.test('a PDF that is made to take much is answered within little memory', async (t) => {
  const server = await build(t)
  for (const [what, content] of Object.entries(hostile)) {
    const file = fileOf(pdfWith(content()), 'hostile.pdf', 'application/pdf')
    const memory = process.memoryUsage().rss
    const answer = await send(server, verifyDocument, { form: { file, code: undefined } })
    t.equal(answer.statusCode, 404, `${what}: it is unknown`)
    t.ok(process.memoryUsage().rss - memory < 300 * MEGABYTE, `${what}: memory stays within its limits`)
  }
})

t.test('no damaged PDF is a 500', async (t) => {
  const server = await build(t)
  const anyDamage = fc.record({
    at: fc.nat(VERIFIED.length - 1),
    length: fc.integer({ min: 1, max: 500 }),
    how: fc.constantFrom('cut', 'flip', 'repeat', 'number'),
    number: fc.nat(10_000_000),
  })
  const property = fc.asyncProperty(anyDamage, async ({ at, length, how, number }) => {
    const part = VERIFIED.subarray(at, at + length)
    const flipped = part.map((byte, nth) => byte ^ (1 << ((number + nth) % 8)))
    const middle = { cut: [], flip: [flipped], repeat: [part, part], number: [Buffer.from(`${number}`)] }[how]
    const damaged = Buffer.concat([VERIFIED.subarray(0, at), ...middle, VERIFIED.subarray(at + length)])
    const file = fileOf(damaged, 'damaged.pdf', 'application/pdf')
    const { statusCode } = await send(server, verifyDocument, { form: { file, code: undefined } })
    assert.ok([200, 400, 404, 422].includes(statusCode), `answered with ${statusCode}`)
  })
  await t.resolves(fc.assert(property, { numRuns: 400, seed: 20261 }), 'each is answered as documented')
})

const utf16 = (text: string) => `\u00fe\u00ff${Array.from(text, (one) => `\0${one}`).join('')}`
const hex = (text: string) => `<${Buffer.from(text, 'latin1').toString('hex')}>`
const info = (code: string) => Buffer.from(`\n9 0 obj\n<< /Title (a) /DocumentCode ${code} >>\nendobj\n`, 'latin1')
const CODE = 'DOC-2025-0001'

const codes: Readonly<Record<string, Buffer>> = {
  'as it is': info(`(${CODE})`),
  'in octal digits': info('(\\104OC-2025-0001)'),
  'in hexadecimal digits': info(hex(CODE)),
  'in UTF-16': info(`(${utf16(CODE)})`),
  'in UTF-16 and hexadecimal digits, as pdf-lib does': info(hex(utf16(CODE))),
  'in UTF-8': info(`(\u00ef\u00bb\u00bf${CODE})`),
  'among compressed objects': objectStream(deflateSync(Buffer.from(`9 0 << /DocumentCode ${hex(utf16(CODE))} >>`))),
}

t.test('a known code over other bytes is tampered, however the code is written', async (t) => {
  const server = await build(t)
  for (const [how, content] of Object.entries(codes)) {
    const file = fileOf(pdfWith(content), 'a.pdf', 'application/pdf')
    const { status, body } = answerOf(await send(server, verifyDocument, { form: { file, code: undefined } }))
    t.match([status, body.error?.message], [422, `the PDF 'a.pdf' claims to be '${CODE}'`], how)
  }
})

/** A table of cross-references behind `before`, with what stands between the trailer and the end. */
const ended = (between: string, { before = '%PDF-1.4\n', end = '%%EOF\n', added = 0 } = {}) =>
  `${before}xref\n0 0\ntrailer\n<< /Root 1 0 R >>\n${between}startxref\n${before.length + added}\n${end}`

const whole: Readonly<Record<string, string>> = {
  'with a comment before startxref, as iText writes': ended('%iText-5.5.13\n'),
  'with comments of many lines': ended('%a\n%b >>\n\n% c\n'),
  'with a comment behind the offset': ended('', { end: '% by hand\n%%EOF' }),
  'without an end mark': ended('', { end: '' }),
  'with old ends of lines': ended('%iText\n').replaceAll('\n', '\r'),
  'with a blank before its header, counted from the first byte': ended('', { before: ' %PDF-1.4\n' }),
  'with a blank before its header, counted from the header': ended('', { before: ' %PDF-1.4\n', added: -1 }),
}

t.test('a PDF is read at its end as readers do', async (t) => {
  const server = await build(t)
  const statusOf = async (text: string) => {
    const file = fileOf(text, 'a.pdf', 'application/pdf')
    return (await send(server, verifyDocument, { form: { file, code: undefined } })).statusCode
  }
  for (const [how, text] of Object.entries(whole))
    t.equal(await statusOf(text), 404, `${how}: it is whole, and unknown`)
  t.equal(await statusOf(ended('junk\n')), 422, 'anything else there is damage')
  t.equal(await statusOf(ended('', { added: 7 })), 422, 'and so is a wrong offset')
})
