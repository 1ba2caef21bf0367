import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import { type Contract, GATEWAY_STATUSES, outcomeId, statusesOf } from '../../src/engine/contract/contract.js'
import { sampleBody } from '../../src/engine/contract/envelopes.js'
import { SAMPLE_ORIGIN } from '../../src/engine/contract/fields.js'
import { adminOf, answerOf, build, lastExchange, requestOf, type Server, send, stateAndMails } from '../helper.js'

/** A request with the right method and path, but without token, body and parameters, and for an unknown record. */
function invalidRequest({ method, path }: Contract, query = '', headers: Record<string, string> = {}): InjectOptions {
  return { method, url: `${path.replaceAll(/\{\w+\}/g, '~')}${query}`, headers }
}

async function assertForcedOutcome(
  t: Test,
  server: Server,
  response: LightMyRequestResponse,
  contract: Contract,
  status: number,
  way: string,
) {
  const sample = JSON.stringify(sampleBody(contract, status)).replace(SAMPLE_ORIGIN, 'http://localhost:80')
  t.same(response.json(), JSON.parse(sample), `${way}: the body is the sample, with links to this server`)
  const entry = await lastExchange(server)
  const expected = { status, outcome: outcomeId(contract, status), error: undefined }
  t.match(answerOf(response), { ...expected, headers: { 'x-mock-exchange': entry.id } }, `${way}: status and headers`)
  t.match(entry, { operation: contract.id, ...expected, deviations: { length: 0 } }, way)
  const why = entry.cause === 'prefer' ? 'requested by' : `forced by ${entry.cause}`
  t.match(entry.trace, { answeredBy: 'forceOutcome', why }, `${way}: it is forced before any check`)
  return entry.cause
}

t.test('header, query and scenario force every declared outcome, even on an invalid request', async (t) => {
  const server = await build(t)
  const { app } = server
  const before = await stateAndMails(server)
  for (const contract of contracts) {
    for (const status of statusesOf(contract)) {
      const name = outcomeId(contract, status)
      t.test(name, async (t) => {
        const byHeader = invalidRequest(contract, '', { prefer: `code=${status}` })
        const byQuery = invalidRequest(contract, `?__code=${status}`)
        for (const [way, request] of Object.entries({ byHeader, byQuery })) {
          const response = await app.inject(request)
          t.equal(await assertForcedOutcome(t, server, response, contract, status, way), 'prefer', `${way}: the cause`)
          t.equal(response.headers['preference-applied'], `code=${status}`, `${way}: Preference-Applied`)
        }

        const preferred = await app.inject(invalidRequest(contract, `?__scenario=${name}`))
        const cause = await assertForcedOutcome(t, server, preferred, contract, status, 'by __scenario')
        t.equal(cause, `scenario:${name}#1`, 'by __scenario')

        const put = await app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}`, payload: { active: true } })
        t.match(put.json(), { name, active: true }, 'by admin: the scenario is on')
        const byAdmin = await app.inject(invalidRequest(contract))
        t.equal(
          await assertForcedOutcome(t, server, byAdmin, contract, status, 'by admin'),
          `scenario:${name}#1`,
          'by admin',
        )
        t.equal(byAdmin.headers['preference-applied'], undefined, 'by admin: Preference-Applied is not sent')
        await app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}`, payload: { active: false } })
      })
    }
  }
  t.test('no forced outcome changes the state', async (t) =>
    t.equal(await stateAndMails(server), before, 'the state is unchanged'),
  )
})

/** Invalid preferences; cases/rejected.txt has the whole text of each kind of problem. */
const invalidPreferences: readonly (readonly [prefer: string, code: string, message: string])[] = [
  ['code=404', 'undeclared-outcome', 'declares 200, 400, 401. Request one of these, or a gateway status: 429, 500,'],
  ['code=200.5', 'malformed-preference', "'code' must be a status such as 409, not '200.5'"],
  ['code="4 0 1"', 'malformed-preference', "not '4 0 1'"],
  ['code=401 delay"1', 'malformed-preference', `not '401 delay"1'`],
  ['=401', 'malformed-preference', "cannot be read at '=401'"],
  ['delay=-1', 'malformed-preference', "'delay' must be a whole number of milliseconds from 0 to 600000, not '-1'"],
  ['delay=600001', 'malformed-preference', "not '600001'"],
  ['scenario=', 'unknown-scenario', "no scenario ''"],
  ['scenario=slow-everythin', 'unknown-scenario', "Did you mean 'slow-everything'?"],
  ['scenario=listCreditHistories:500', 'unknown-scenario', "Did you mean 'listCreditHistories:200'?"],
  ['fault=TIMEOT', 'malformed-preference', "Did you mean 'TIMEOUT'?"],
]

t.test('an invalid preference gets 400, with the allowed values', async (t) => {
  const server = await build(t)
  for (const [prefer, code, message] of invalidPreferences) {
    const response = await server.app.inject(invalidRequest(api.listCreditHistories, '', { prefer }))
    t.match(
      answerOf(response),
      { status: 400, error: code, outcome: undefined, body: { code, detail: message } },
      prefer,
    )
    const { outcome, violations } = await lastExchange(server)
    t.equal(outcome, null, `${prefer}: the journal records no outcome`)
    t.match(violations, [{ code, where: 'headers.prefer', basis: 'suspicious' }], `${prefer}: it is a violation`)
  }
  const undeclared = await server.app.inject(invalidRequest(api.addOrganizationMember, '?__code=404'))
  const possible = { declared: statusesOf(api.addOrganizationMember), gateway: [...GATEWAY_STATUSES] }
  t.match(undeclared.json(), possible, 'the problem lists the declared statuses, and gateway statuses')
  const twice = await server.app.inject(invalidRequest(api.addOrganizationMember, '?__code=409&__code=500'))
  t.match(twice.json(), { detail: "'code' must be one value, not '409,500'" }, 'two codes are rejected')
  const { violations } = await lastExchange(server)
  t.match(violations, [{ where: 'query.__code' }], 'the violation names the query parameter')
})

type ValidPreference = readonly [prefer: string, query: string, status: number, applied: string | undefined]

const validPreferences: readonly ValidPreference[] = [
  ['respond-async, wait=10', '', 200, undefined],
  ['return=minimal; foo="a, b", handling=lenient', '', 200, undefined],
  ['return=minimal; foo="a, b", code=401', '', 401, 'code=401'],
  ['CODE=401', '', 401, 'code=401'],
  ['code="4\\01"; note=x', '', 401, 'code=401'],
  ['code=401', '__code=400', 401, 'code=401'],
  ['wait=10', '__code=400', 400, 'code=400'],
  ['', '%5F%5Fcode=401', 401, 'code=401'],
  ['code=401, code=400', '', 401, 'code=401'],
  ['delay=1, code=401', '', 401, 'delay=1, code=401'],
  ['delay=1', '__code=401', 401, 'delay=1, code=401'],
  ['scenario="listCreditHistories:400", delay=1', '', 400, 'scenario=listCreditHistories:400, delay=1'],
  ['scenario=listCreditHistories:400, code=401', '', 401, 'code=401'],
]

t.test('preferences follow RFC 7240; unknown ones are ignored', async (t) => {
  const server = await build(t)
  for (const [prefer, query, status, applied] of validPreferences) {
    const { url, ...request } = requestOf(api.listCreditHistories)
    const headers = { ...request.headers, prefer }
    const response = await server.app.inject({ ...request, url: `${url}&${query}`, headers })
    const label = `Prefer '${prefer}'${query && ` and ${query}`}`
    t.equal(response.statusCode, status, `${label}: the answer is ${status}`)
    t.equal(response.headers['preference-applied'], applied, `${label}: Preference-Applied`)
  }
})

t.test('preferences in the query are removed before the request is checked', async (t) => {
  const server = await build(t, { strict: true })
  const response = await send(server, api.searchProtectedAttachments, {
    query: { __delay: '1', __scenario: 'expired-token' },
  })
  t.equal(response.statusCode, 200, 'a strict server accepts them')
  t.same((await lastExchange(server)).violations, [], 'no violation is recorded')
  t.notMatch(Object.keys((await lastExchange(server)).request.query).join(), '__', 'the journaled query omits them')
  t.match((await lastExchange(server)).url, '__delay=1', 'the URL in the journal keeps them')
})

t.test('a delay applies to every answer: to errors, forced and natural outcomes', async (t) => {
  const server = await build(t)
  const { app } = server
  const requests = {
    'a natural 401': invalidRequest(api.listCreditHistories),
    'a forced 200': invalidRequest(api.listCreditHistories, '?__code=200'),
    'a natural 200': requestOf(api.listCreditHistories),
  }
  for (const [label, request] of Object.entries(requests)) {
    const started = performance.now()
    await app.inject({ ...request, headers: { ...request.headers, prefer: 'delay=80' } })
    t.ok(performance.now() - started >= 79, `${label} comes after the delay`)
    t.ok((await lastExchange(server)).duration! >= 79, `${label} is in the journal with the delay in its duration`)
  }
})

t.test('a preferred scenario applies only to its request, and comes before active ones', async (t) => {
  const server = await build(t, { scenario: ['uploadSignature:401'] })
  const preferred = await send(server, api.uploadSignature, { headers: { prefer: 'scenario=uploadSignature:422' } })
  t.equal(preferred.statusCode, 422, 'the preferred scenario answers')
  t.equal((await send(server, api.uploadSignature)).statusCode, 401, 'the active scenario answers the next call')
  t.same(await adminOf(server).active(), ['uploadSignature:401'], 'the preferred scenario is not activated')
})
