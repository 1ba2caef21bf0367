import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { lastExchange } from '../helper.js'
import { bytes, inChunks, raw } from '../http/forms.js'
import { shownForm } from '../http/reading.js'
import type { Sent } from '../http/sent.js'
import { holds } from '../property.js'
import { type Chunks, listening } from '../wire.js'
import { sentByClients } from './known-forms.js'
import { type Draw, draws, piecesOf, sentBy } from './sent-forms.js'

/** A form, drawn as for the readers, in chunks or with its length, and the places where what is written is cut. */
interface Given {
  readonly draw: Draw
  readonly chunked: boolean
  readonly cuts: readonly number[]
}

const given: fc.Arbitrary<Given> = fc.record({
  draw: draws,
  chunked: fc.boolean(),
  cuts: fc.array(fc.nat(9_999), { maxLength: 6 }),
})

/** A Content-Type that goes through HTTP as it is. */
const PLAIN = /^[ -~]*$/

/** Sends a request, and says what was made of it. */
async function judged({ server, exchange }: Awaited<ReturnType<typeof listening>>, chunks: Chunks) {
  const { status } = await exchange(chunks)
  const { form, violations } = lastExchange(server)
  return { status, form: shownForm(form), violations }
}

t.test('a form is the same over HTTP, split after any byte', async (t) => {
  const wire = await listening(t)
  const { type, body } = sentByClients['as browsers write it'] as Sent
  const whole = await judged(wire, bytes(...raw(body, { type })))
  const [head] = raw(body, { type })
  const [chunkedHead] = raw(body, { type, chunked: true })
  for (let at = 0; at <= body.length; at++) {
    const pieces = [body.subarray(0, at), body.subarray(at)]
    assert.deepEqual(await judged(wire, [head, ...pieces]), whole, `in two writes, after ${at} bytes`)
    assert.deepEqual(await judged(wire, [chunkedHead, inChunks(pieces)]), whole, `in two chunks, after ${at} bytes`)
  }
  t.pass(`${body.length} bytes`)
})

t.test('a form is the same over HTTP, whatever chunks and pieces it comes in', async (t) => {
  const wire = await listening(t)
  const check = async ({ draw, chunked, cuts }: Given) => {
    const { type: drawn, body } = sentBy(draw)
    const type = PLAIN.test(drawn) ? drawn : undefined
    const [head] = raw(body, { type, chunked })
    const written = bytes(head, chunked ? inChunks(piecesOf(body, draw.cuts)) : body)
    const pieces = piecesOf(written, cuts).filter(({ length }) => length > 0)
    const whole = await judged(wire, bytes(...raw(body, { type })))
    assert.deepEqual(await judged(wire, pieces), whole, JSON.stringify(written.toString('latin1')))
  }
  await holds(t, 'its status, its form and what is wrong with it', fc.asyncProperty(given, check), {
    numRuns: 300,
    seed: 20_261,
  })
})
