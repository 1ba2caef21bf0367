import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { addOrganizationMember, uploadSignature, verifyDocument } from '../../schemas/index.js'
import type { Readings } from '../../schemas/readings.js'
import { resolveSettings } from '../../src/server/settings.js'
import { build, type Changes, lastExchange, send } from '../helper.js'
import { reading } from '../switches/readings.js'
import { answers, namedIn, VARYING } from './plainly.js'

t.test('a request asks for it, by header or query, with any value', async (t) => {
  const server = await build(t)
  const plain = await send(server, uploadSignature)
  t.equal(plain.headers['x-mock-varied'], undefined, 'nothing varies by itself')
  const ways: readonly Changes[] = [
    { headers: { prefer: 'vary' } },
    { headers: { prefer: 'vary=yes' } },
    { headers: { prefer: 'respond-async, Vary="a, b"; c' } },
    { query: { __vary: '' } },
    { query: { __vary: 'false' } },
  ]
  for (const way of ways) {
    const response = await send(server, uploadSignature, way)
    t.type(response.headers['x-mock-varied'], 'string', `${JSON.stringify(way)}: it varies`)
    t.equal(response.headers['preference-applied'], 'vary', `${JSON.stringify(way)}: and says that it was asked to`)
    t.strictSame(lastExchange(server).violations, [], `${JSON.stringify(way)}: it is no part of the request`)
  }
  const malformed = await send(server, uploadSignature, { headers: { prefer: '=' } })
  t.match(malformed.json().detail, 'vary', 'who cannot write the header is told of it')
})

t.test('it goes with the other preferences; a status that is asked for by its number is answered', async (t) => {
  const server = await build(t, VARYING)
  for (let time = 0; time < 30; time++) {
    const forced = await send(server, addOrganizationMember, { headers: { prefer: 'code=200, delay=1' } })
    t.equal(forced.statusCode, 200, 'code=200 is 200')
    const expected = await send(server, uploadSignature, { headers: { prefer: 'expect=200, vary' } })
    t.equal(expected.statusCode, 200, 'expect=200 is met')
    t.strictSame(lastExchange(server).violations, [], 'and nothing is held against the client')
    const conflict = await send(server, addOrganizationMember, { headers: { prefer: 'code=409, vary' } })
    t.equal(conflict.headers['x-mock-outcome'], 'addOrganizationMember:409', 'code=409 is 409')
    t.equal(conflict.headers['preference-applied'], 'code=409, vary', 'both are applied')
  }
  const undeclared = await send(server, uploadSignature, { headers: { prefer: 'code=201' } })
  t.equal(undeclared.headers['x-mock-error'], 'undeclared-outcome', '201 is drawn, and cannot be asked for')
})

t.test('what the mock has not made itself stays as it is', async (t) => {
  const server = await build(t, VARYING)
  const body = { status: 'success', message: 'As I wrote it.' }
  const payload = { rules: [{ on: 'addOrganizationMember', answer: { status: 200, body } }], active: true }
  await server.app.inject({ method: 'PUT', url: '/__admin/scenarios/written', payload })
  for (let time = 0; time < 20; time++) {
    const written = await send(server, addOrganizationMember)
    t.equal(written.payload, JSON.stringify(body), "a rule's own body is sent as it is written")
    const gateway = await send(server, uploadSignature, { headers: { prefer: 'code=503' } })
    t.match(gateway.payload, /^<html>/, "so is a gateway's page")
    const problem = await server.app.inject('/client/signatur')
    t.equal(problem.headers['content-type'], 'application/problem+json; charset=utf-8', 'so is a problem')
    for (const { headers } of [written, gateway, problem]) t.notOk('x-mock-varied' in headers, 'nothing was varied')
  }
})

t.test('a sample that a rule sends varies, and keeps the headers that the rule gives it', async (t) => {
  const server = await build(t, VARYING)
  const headers = { 'x-own': 'a', 'content-type': 'application/vnd.a+json' }
  const payload = { rules: [{ on: '*', answer: { status: 401, headers } }], active: true }
  await server.app.inject({ method: 'PUT', url: '/__admin/scenarios/sample', payload })
  const names = new Set<string>()
  for (let time = 0; time < 40; time++) {
    const response = await send(server, uploadSignature)
    for (const [name] of namedIn(response)) names.add(name)
    t.match(response.headers, { ...headers, 'www-authenticate': 'Bearer' }, 'its headers')
  }
  t.ok(names.has('error-body') && names.has('key-order'), 'it varies')
})

/** Readings that a user has set, and what then stays as it is: in one operation, but not in another. */
type Known = readonly [set: Partial<Readings>, name: string, stays: Contract, changes: Changes, other?: Contract]
const tokenless = { headers: { authorization: undefined } }
const successWords = { uploadSignature: { status: 'success' } }
const known: readonly Known[] = [
  [{ successStatus: 200 }, 'status', uploadSignature, {}],
  [{ successStatus: 201 }, 'status', uploadSignature, {}],
  [{ successStatus: { uploadSignature: 201 } }, 'status', uploadSignature, {}, verifyDocument],
  [{ errorBody: 'nested' }, 'error-body', uploadSignature, tokenless],
  [{ errorBody: { why: '{message}' } }, 'error-body', uploadSignature, tokenless],
  [{ errorBody: { verifyDocument: 'flat' } }, 'error-body', verifyDocument, tokenless, uploadSignature],
  [{ errorBody: { code: '{status}' } }, 'message', uploadSignature, tokenless],
  [{ successWords }, 'status-word', uploadSignature, {}, addOrganizationMember],
  [{ successWords: { uploadSignature: { message: 'Fine.' } } }, 'message', uploadSignature, {}, verifyDocument],
  [{ timestamps: 'milliseconds' }, 'timestamps', verifyDocument, {}],
  [{ timestamps: 'seconds' }, 'timestamps', verifyDocument, {}],
]

t.test('what users know of their service does not vary', async (t) => {
  for (const [set, name, stays, changes, other] of known) {
    const fromConfig = resolveSettings({}, {}, { file: undefined, config: { interpretations: set } })
    for (const [where, { readings, chosen }] of Object.entries({ fromConfig })) {
      const server = await build(t, { ...VARYING, readings, chosen })
      const varied = async (contract: Contract) => {
        const calls = Array.from({ length: 40 }, () => [contract, changes] as const)
        const responses = await answers(server, calls)
        t.strictSame(lastExchange(server).deviations, [], 'no deviation')
        return new Set(responses.flatMap((response) => [...namedIn(response).keys()]))
      }
      const label = `${JSON.stringify(set)} ${where}`
      t.notOk((await varied(stays)).has(name), `${label}: ${name} of ${stays.id} stays`)
      if (other !== undefined) t.ok((await varied(other)).has(name), `${label}: ${name} of ${other.id} varies`)
    }
  }
  const server = await build(t, { ...VARYING, readings: reading({ successStatus: 201, errorBody: 'flat' }) })
  const calls = Array.from({ length: 20 }, () => [uploadSignature] as const)
  for (const { statusCode } of await answers(server, calls))
    t.equal(statusCode, 201, 'nor does a reading that is not as by default')
  const refusals = Array.from({ length: 20 }, () => [uploadSignature, tokenless] as const)
  const errors = await answers(server, refusals)
  for (const response of errors) t.equal(response.json().status, 'error', 'nor does its error body')
})
