import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { verifyDocument } from '../../schemas/verify-document.js'
import { build, fileOf, messageOf, send } from '../helper.js'

const VERIFIED = readFileSync('fixtures/files/verified.pdf')

/** A PDF whose cross-reference stream unpacks to so many megabytes of zeros. */
function bomb(megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024))
  const head = Buffer.from('%PDF-1.5\n')
  const dictionary = `1 0 obj\n<< /Type /XRef /Size ${megabytes * 200_000} /W [1 2 1] /Root 2 0 R /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`
  return Buffer.concat([
    head,
    Buffer.from(dictionary),
    packed,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${head.length}\n%%EOF\n`),
  ])
}

/** Draws that follow from a seed (mulberry32). */
function draws(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
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

t.test('a PDF that unpacks to hundreds of megabytes is refused, and the server answers on', async (t) => {
  const server = await build(t)
  const before = process.memoryUsage().rss
  const file = fileOf(bomb(300), 'bomb.pdf', 'application/pdf')
  const [refused, other] = await Promise.all([
    send(server, verifyDocument, { form: { file, code: undefined } }),
    send(server, verifyDocument, { form: { file: undefined } }),
  ])
  t.equal(refused.statusCode, 422, 'it cannot be verified')
  t.match(messageOf(refused), /the PDF 'bomb\.pdf' is (damaged|too costly to read)/, 'the message says why')
  t.equal(other.statusCode, 200, 'another call is answered meanwhile')
  t.ok(process.memoryUsage().rss - before < 700 * 1024 * 1024, 'memory stays within its limits')
})

t.test('no damaged PDF is a 500', async (t) => {
  const server = await build(t)
  const draw = draws(20_261)
  const statuses = new Map<number, number>()
  for (let nth = 0; nth < 400; nth++) {
    const file = fileOf(mutate(VERIFIED, draw), `mutated-${nth}.pdf`, 'application/pdf')
    const { statusCode } = await send(server, verifyDocument, { form: { file, code: undefined } })
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  }
  const others = [...statuses.keys()].filter((status) => ![200, 400, 404, 422].includes(status))
  t.strictSame(others, [], 'every one is answered as documented', { statuses: Object.fromEntries(statuses) })
})

/** The processes that this one has started; where the system does not say, none. */
function children(): number[] {
  const file = `/proc/${process.pid}/task/${process.pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : []
}

t.test('a PDF is read although the process that read the last was killed', async (t) => {
  const server = await build(t)
  const verify = async (nth: number) => {
    const content = Buffer.concat([VERIFIED.subarray(0, -1), Buffer.from(`\n% ${nth}\n`)])
    const file = fileOf(content, 'other.pdf', 'application/pdf')
    return messageOf(await send(server, verifyDocument, { form: { file, code: undefined } }))
  }
  const before = await verify(1)
  t.match(before, /other\.pdf/, 'a PDF whose bytes are not known is read')
  t.notMatch(before, /too costly/, 'it is not too costly')
  for (const pid of children()) process.kill(pid, 'SIGKILL')
  await pause(300)
  t.equal(await verify(2), before, 'the next is read as well')
})

t.test('a PDF without its middle or its end, or with its cross-references elsewhere, is damaged', async (t) => {
  const server = await build(t)
  const half = Math.floor(VERIFIED.length / 2)
  const text = VERIFIED.toString('latin1')
  const cases = {
    'its middle cut out': Buffer.concat([VERIFIED.subarray(0, half), VERIFIED.subarray(half + 500)]),
    'its end cut off': VERIFIED.subarray(0, VERIFIED.lastIndexOf('startxref')),
    'startxref past its end': Buffer.from(text.replace(/startxref\s+\d+/, 'startxref\n99999999'), 'latin1'),
  }
  for (const [label, content] of Object.entries(cases)) {
    const file = fileOf(content, 'damaged.pdf', 'application/pdf')
    const response = await send(server, verifyDocument, { form: { file, code: undefined } })
    t.equal(response.statusCode, 422, label)
    t.match(messageOf(response), /the PDF 'damaged\.pdf' is damaged/, `${label}: the message says so`)
  }
})
