import assert from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { addOrganizationMember } from '../schemas/index.js'
import type { Contract } from '../src/engine/contract/contract.js'
import { checkAnswer } from '../src/engine/judge/deviations.js'
import { InvalidFiles, startMockServer } from '../src/index.js'
import { folder } from './binary.js'
import { countersign } from './forward/provider.js'
import { contracts, fixtureFile, multipart, organization, sendTo } from './helper.js'
import { INVITE, MEMBER, UPLOAD, VERIFY } from './paths.js'

/** For longer runs, or another seed; a failure prints its seed. */
const { FUZZ_SEED = '20261', FUZZ_TIMES = '1' } = process.env
const runs = (numRuns: number) => ({ numRuns: numRuns * Number(FUZZ_TIMES), seed: Number(FUZZ_SEED) })

const CLOCK = { clock: '2026-01-15T09:30:00Z' }

const authorization = 'Bearer token-admin'

t.test('the state has all puts, patches and removals, even after a restart', async (t) => {
  const records = fc
    .dictionary(fc.constantFrom('1', '2', '3'), fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }))
    .map((names) => Object.entries(names).map(([id, name]) => ({ ...organization(Number(id)), name: `x${name}` })))
  const change = fc.record({
    kind: fc.constantFrom('put', 'patch', 'patch', 'remove', 'restart'),
    records,
    id: fc.constantFrom(1, 2, 3),
  })
  const property = fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
    const options = { port: 0, persist: join(folder(t), 'state.json'), fixtures: { organizations: [] } }
    let mock = await startMockServer(options)
    try {
      let expected = new Map<number, object>()
      for (const { kind, records, id } of changes) {
        if (kind === 'put') await mock.state.set({ organizations: records })
        else if (kind === 'patch') await mock.state.patch({ organizations: records })
        else if (kind === 'restart') {
          await mock.close()
          mock = await startMockServer(options)
        } else if (expected.delete(id)) await mock.state.remove('organizations', String(id))
        else await assert.rejects(mock.state.remove('organizations', String(id)), 'a missing record cannot be removed')
        if (kind === 'put') expected = new Map()
        if (kind === 'put' || kind === 'patch') for (const record of records) expected.set(record.id, record)
        const { organizations } = await mock.state.get()
        assert.deepEqual(organizations, [...expected.values()], `after ${kind}`)
      }
    } finally {
      await mock.close()
    }
  })
  await t.resolves(fc.assert(property, runs(15)), 'the state is as expected after each change')
})

/** Operations with a form: fields that get a 200, and all statuses that a form can cause. */
const forms = [
  ['POST', UPLOAD, { source: 'drawn' }, [200, 422]],
  ['PUT', MEMBER, { first_name: 'Ada', last_name: 'Lovelace', role: 'Member' }, [200, 400]],
  ['POST', VERIFY, { code: 'DOC-2025-0001', user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31' }, [200, 400, 404, 422]],
  ['POST', INVITE, { 'data[0][email]': 'ada@example.test', 'data[0][role]': 'Admin' }, [200, 400, 409]],
] as const

t.test('every form, and every damaged form, gets a documented answer', async (t) => {
  const text = fc.oneof(
    fc.string({ maxLength: 20, unit: 'binary' }),
    fc.constantFrom('', ' ', 'null', 'undefined', '-1', '[object Object]', '\u0000', 'a\r\nb', '__proto__', '\r\n--'),
  )
  const file = fc.constantFrom('signature.png', 'signature.svg', 'verified.pdf', 'damaged.pdf').map((name) => {
    return fixtureFile(name)
  })
  const name = fc.constantFrom('file', 'code', 'role', 'data[0][email]', 'data[0][organization_id]', 'x', '__proto__')
  const damage = fc.record({ at: fc.nat(9_999), cut: fc.nat(40), insert: text })
  const request = fc.record({
    form: fc.constantFrom(...forms),
    changes: fc.array(fc.tuple(name, fc.oneof(text, file)), { maxLength: 4 }),
    damages: fc.array(damage, { maxLength: 2 }),
  })
  const mock = await countersign(t, CLOCK)
  const property = fc.asyncProperty(request, async ({ form: [method, path, fields, statuses], changes, damages }) => {
    const { headers, body: whole } = multipart([...Object.entries(fields), ...changes])
    const body = damages.reduce<Buffer>((bytes, { at, cut, insert }) => {
      const place = Math.floor((at * bytes.length) / 10_000)
      return Buffer.concat([bytes.subarray(0, place), Buffer.from(insert), bytes.subarray(place + cut)])
    }, whole)
    const response = await mock.fetch(path, { method, headers: { ...headers, authorization }, body: new Blob([body]) })
    const sent = await response.text()
    const answer = JSON.parse(sent)
    assert.ok((statuses as readonly number[]).includes(response.status), `${path}: ${response.status}`)
    if (response.status !== 200) assert.ok(answer.error.message.length > 5, JSON.stringify(answer))
    const [exchange] = await mock.requests()
    assert.equal(exchange?.status, response.status, 'the journal has the status')
    const answered = { status: response.status, contentType: `${response.headers.get('content-type')}`, text: sent }
    const contract = contracts.find(({ id }) => id === exchange?.operation) as Contract
    assert.deepEqual(checkAnswer(contract, answered), [], 'the answer fits the contract')
  })
  await t.resolves(fc.assert(property, runs(100)), 'every answer is documented')
})

t.test('every scenario can be played, or is refused with a reason', async (t) => {
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('', '*', -1, 2 ** 60, '(a+)+$', '__proto__'))
  const mostly = (...valid: readonly unknown[]) => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...valid) }, odd)
  const answer = fc.record(
    {
      status: mostly(200, 400, 409, 503),
      body: mostly({ error: { code: 409, message: 'Taken.' } }, {}),
      headers: mostly({ 'x-a': 'b' }, { 'Content-Type': 'text/plain' }),
      delay: mostly(1, { uniform: { lower: 1, upper: 2 } }),
      fault: mostly('EMPTY_RESPONSE', 'CONNECTION_RESET_BY_PEER'),
      effect: mostly('after', 'none'),
    },
    { requiredKeys: [] },
  )
  const matcher = mostly('ENTERPRISE_API', { contains: 'E' }, { matches: '^[A-Z_]+$' }, { absent: true })
  const rule = fc.record(
    {
      on: mostly('addOrganizationMember', '*', ['addOrganizationMember', 'verifyDocument']),
      when: fc.oneof(fc.record({ query: fc.record({ user_type: matcher }) }), odd),
      times: mostly(1, 2),
      chance: mostly(0.5, 1),
      offContract: mostly(true),
      answer: fc.oneof({ weight: 4, arbitrary: answer }, odd),
    },
    { requiredKeys: ['on', 'answer'] },
  )
  const mock = await countersign(t, CLOCK)
  const property = fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 3 }), async (rules) => {
    await mock.reset()
    try {
      await mock.scenarios.define('random', { rules, active: true } as never)
    } catch (error) {
      assert.ok(error instanceof InvalidFiles && error.complaints.length > 0, `the refusal has complaints: ${error}`)
      for (const { message } of error.complaints) assert.ok(message.length > 5, 'each complaint has a message')
      return
    }
    // A fault breaks the connection; every other call is answered.
    await sendTo(mock.url, addOrganizationMember).catch((error: Error) => assert.equal(error.message, 'fetch failed'))
    await mock.scenarios.remove('random')
    const { status } = await sendTo(mock.url, addOrganizationMember)
    assert.ok([200, 409].includes(status), 'the API answers as usual once the scenario is removed')
  })
  await t.resolves(fc.assert(property, runs(50)), 'no scenario stops the server')
})
