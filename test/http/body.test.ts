import { randomFillSync } from 'node:crypto'
import t from 'tap'
import { sha256 } from '../../src/text/digest.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { lastExchange } from '../helper.js'
import { listening } from '../wire.js'
import { bytes, end, FILE, PNG, part, raw } from './forms.js'

/** A picture with bytes after its end that take several reads. */
const picture = bytes(PNG, randomFillSync(Buffer.alloc(300_000)))
const form = bytes(part([FILE, 'Content-Type: image/png'], picture), end())

/** Sizes of the pieces that a body is cut into, over and over; one piece is all that is left. */
const cuts: Readonly<Record<string, readonly number[]>> = {
  'in one piece': [Number.POSITIVE_INFINITY],
  'with a first piece of one byte': [1, Number.POSITIVE_INFINITY],
  'with a last piece of one byte': [form.length - 1, 1],
  'at odd places': [1, 2, 3, 699, 65_535, 65_537, 4_097],
  'in pieces of a read': [65_536],
}

function* piecesOf(body: Buffer, sizes: readonly number[]) {
  for (let nth = 0, at = 0; at < body.length; nth++) {
    const size = sizes[nth % sizes.length] as number
    yield body.subarray(at, at + size)
    at += size
  }
}

t.test('a body is taken whole, however it is cut on its way', async (t) => {
  const { server, exchange } = await listening(t)
  for (const chunked of [false, true]) {
    const [head, body] = raw(form, { chunked })
    for (const [how, sizes] of Object.entries(cuts)) {
      for (const first of ['with its head', 'after its head']) {
        const [start, ...rest] = piecesOf(body, sizes)
        const beginning = first === 'with its head' ? [bytes(head, start as Buffer)] : [head, start as Buffer]
        const { status } = await exchange([...beginning, ...rest])
        const { body: read } = entryOf(lastExchange(server)).request
        const whole = { file: { size: picture.length, sha256: sha256(picture) } }
        t.match([status, read], [200, whole], `${chunked ? 'chunked' : 'with a length'}, ${how}, ${first}`)
      }
    }
  }
})
