import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import type { Server } from '../../src/server/create-server.js'
import { BOUNDARY, build, requestOf } from '../helper.js'
import { holds } from '../property.js'
import { changed, changesWith } from './bytes.js'
import { formChanges, writtenForm } from './forms.js'
import { type Answer, checkAlive, checkAnswer, checkEntry, inTime } from './oracle.js'

const withForm: readonly Contract[] = contracts.filter((one: Contract) => one.form !== undefined)
/** Reading what is left of a PDF takes long; uploads.test.ts has its own. */
const weightOf = ({ id }: Contract) => (id === 'verifyDocument' ? 1 : 5)

/** The body in so many pieces; in one where it is 0. */
function inPieces(body: Buffer, size: number): Buffer | Readable {
  if (size === 0) return body
  const length = Math.ceil(body.length / size)
  return Readable.from(Array.from({ length }, (_, nth) => body.subarray(nth * size, (nth + 1) * size)))
}

async function send({ app }: Server, contract: Contract, type: string, payload: Buffer | Readable): Promise<Answer> {
  const { headers, ...request } = requestOf(contract)
  const sent = { ...request, headers: { ...headers, 'content-type': type }, payload }
  const { statusCode, ...answer } = await inTime('the answer', app.inject(sent))
  return { status: statusCode, headers: answer.headers, body: answer.body }
}

const WORDS = [
  ...['\r\n', '\n', '--', `--${BOUNDARY}`, `\r\n--${BOUNDARY}--`, 'name="file"', 'filename="x"', '; name="a"'],
  ...[';', '"', ':', '\u0000', 'ü'],
]
/** Bytes; what is larger may be refused for that, or for what came first. */
const LIMIT = 200_000
/** More take too long. */
const MOST_PIECES = 300

/** What two answers to the same request have in common: ids and times are new each time. */
function sameIn({ status, body }: Answer, length: number): unknown {
  return status === 200 || length > LIMIT ? Math.floor(status / 100) : [status, body]
}

t.test('every form, however mangled, is answered as documented, the same whatever pieces it comes in', async (t) => {
  const server = await build(t, { bodyLimit: LIMIT })
  const given = fc.record({
    contract: fc.oneof(...withForm.map((one) => ({ weight: weightOf(one), arbitrary: fc.constant(one.id) }))),
    form: formChanges,
    bytes: changesWith(WORDS, 2),
    size: fc.constantFrom(1, 2, 13, 100, 5_000),
  })
  const check = async ({ contract: id, form, bytes, size }: typeof given extends fc.Arbitrary<infer T> ? T : never) => {
    const contract = withForm.find((one) => one.id === id) as Contract
    const { type, body: whole } = writtenForm(contract, form)
    const body = changed(whole, bytes)
    try {
      const atOnce = await send(server, contract, type, body)
      checkAnswer(contract, atOnce)
      if (form.length + bytes.length === 0) assert.equal(atOnce.status, 200, 'the valid form is refused')
      checkEntry(server.worlds.root, atOnce)
      const least = Math.ceil(body.length / MOST_PIECES)
      const pieces = await send(server, contract, type, inPieces(body, Math.max(size, least)))
      const [inPiecesOf, whole] = [sameIn(pieces, body.length), sameIn(atOnce, body.length)]
      assert.deepEqual(inPiecesOf, whole, 'in pieces it is answered in another way')
      checkEntry(server.worlds.root, pieces)
    } catch (error) {
      const shown = JSON.stringify(body.subarray(0, 1_500).toString('latin1'))
      throw new Error(`${(error as Error).message}\n${type}\n${shown}`)
    }
  }
  await holds(t, 'any form', fc.asyncProperty(given, check), { numRuns: 400, seed: 20_261 })
  await checkAlive(server)
})
