import { Type } from '@sinclair/typebox'
import t from 'tap'
import { bodyNotShown, type Contract, shown } from '../../schemas/contract.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { uploadSignature, verifyDocument } from '../../schemas/index.js'
import { defaultReadings } from '../../schemas/readings.js'
import { contractsServed, contractVaried, OTHER_SUCCESS } from '../../schemas/variations.js'
import { extraFields } from '../../src/http/api/vary/extra-fields.js'
import { keyOrder } from '../../src/http/api/vary/key-order.js'
import { timestamps } from '../../src/http/api/vary/timestamps.js'
import type { Answer, Given, Variation } from '../../src/http/api/vary/variation.js'
import { variations } from '../../src/http/api/vary/vary.js'
import { seededDraws } from '../../src/world/seeded.js'
import { build, lastExchange, send } from '../helper.js'
import { NAMES } from './plainly.js'

/** A contract whose success has a body of this schema. */
function answering(schema: ReturnType<typeof Type.Object>): Contract {
  const responses = { 200: shown.answer(['I-01'], 'Odd.', schema, {} as never) }
  return { ...(verifyDocument as Contract), responses }
}

/** What a variation makes of a body, drawn many times. */
function many({ change }: Variation, contract: Contract, body: unknown) {
  const answer: Answer = { contract, status: 200, said: body, body }
  const given: Given = { documentedContract: contract, readings: defaultReadings, known: {}, statusAsked: false }
  return Array.from({ length: 200 }, (_, nth) => change(answer, seededDraws('test', nth), given))
}

t.test('each variation has a name of its own, which is documented', async (t) => {
  t.strictSame(variations.map(({ name }) => name).sort(), [...NAMES].sort(), 'all of them, each once')
})

t.test('an extra field is never one that the contract or the body knows', async (t) => {
  const open = Type.Object({
    a: Type.String(),
    tags: Type.Optional(Type.String()),
    closed: Type.Object({ b: Type.String() }, { additionalProperties: false }),
    list: Type.Array(Type.Object({ c: Type.String() })),
    free: Type.Unknown(),
  })
  const body = { a: 'a', Revision: 'own', closed: { b: 'b' }, list: [{ c: 'c' }, { c: 'd' }], free: { d: 'd' } }
  const before = JSON.stringify(body)
  const names = new Set<string>()
  for (const changed of many(extraFields, answering(open), body)) {
    const made = (changed?.body ?? body) as typeof body & Record<string, unknown>
    t.notOk('tags' in made, 'the contract has one of that name, which is left out here')
    t.equal(made.Revision, 'own', 'the body has one of its own')
    t.notOk('revision' in made, 'nor one that differs in letter case alone')
    t.strictSame(made.closed, { b: 'b' }, 'an object that is closed gets none')
    t.strictSame(made.free, { d: 'd' }, 'nor does one that the contract says nothing of')
    for (const one of [made, ...made.list]) for (const name of Object.keys(one)) names.add(name)
  }
  for (const name of ['request_id', 'next_cursor', '_links', 'deprecated', 'processing_ms'])
    t.ok(names.has(name), `${name} is added sometimes`)
  t.equal(JSON.stringify(body), before, 'the body itself stays as it was')
})

t.test('nothing is named that stays the same', async (t) => {
  const none = answering(Type.Object({}))
  const closed = answering(Type.Object({ a: Type.String() }, { additionalProperties: false }))
  const never: readonly (readonly [Variation, Contract, unknown])[] = [
    [keyOrder, none, { a: [1, 2, 3] }],
    [keyOrder, none, { a: { b: 1 } }],
    [extraFields, closed, { a: 'a' }],
    [timestamps, verifyDocument, { document: { verified_at: '2026-01-15T09:30:00Z' }, message: '09:30:00.000Z' }],
  ]
  for (const [variation, contract, body] of never) {
    const changed = many(variation, contract, body).filter((one) => one !== undefined)
    const texts = changed.map((one) => JSON.stringify(one.body))
    t.notOk(texts.includes(JSON.stringify(body)), `${variation.name} of ${JSON.stringify(body)}`)
  }
  const reordered = many(keyOrder, none, { a: [1, 2, 3] }).filter((one) => one !== undefined)
  t.same(reordered, [], 'lists keep their order')
})

t.test('contracts that are drawn are made once', async (t) => {
  const [one, other] = [1, 2].map(() => contractVaried(uploadSignature, defaultReadings, OTHER_SUCCESS))
  t.equal(one, other, 'so that their checks are compiled once')
  t.notOk(200 in (one as Contract).responses, 'each is exact')
  const plain = contractsServed([uploadSignature], { readings: defaultReadings, chosen: {}, vary: false })
  t.equal(plain[0], contractsUnder([uploadSignature], defaultReadings)[0], 'without --vary they are as ever')
})

t.test('an operation without statements of its own varies as others do', async (t) => {
  const ninth: Contract = {
    ...(uploadSignature as Contract),
    id: 'ninth',
    path: '/ninth',
    responses: {
      200: shown.answer(['S7.4'], 'Named.', Type.Object({ status: Type.String() }), { status: 'fixed' }),
      401: bodyNotShown.error(['I-12'], 'Refused.', 'No.'),
      422: bodyNotShown.error(['I-12'], 'Invalid.', 'No.'),
    },
  }
  const handler = () => ({ status: 200, body: { status: 'fixed' }, mistake: undefined }) as never
  const server = await build(t, { vary: true }, { operations: [{ contract: ninth, handler }] })
  for (let time = 0; time < 30; time++) {
    const response = await send(server, ninth)
    t.match([response.statusCode, response.json()], [200, { status: 'fixed' }], 'what is cited stays')
  }
})

t.test('an answer that departs from its contract is found out, however it varies', async (t) => {
  const handler = () => ({ status: 200, body: { status: 1, message: 'Odd.', signature_id: 'x' } }) as never
  const server = await build(t, { vary: true }, { operations: [{ contract: uploadSignature, handler }] })
  for (let time = 0; time < 20; time++) {
    await send(server, uploadSignature)
    const places = lastExchange(server).deviations.map(({ where }) => where)
    t.ok(places.includes('body.signature_id'), 'it is a deviation')
  }
})
