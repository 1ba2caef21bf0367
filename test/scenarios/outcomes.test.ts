import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { SAMPLE_ORIGIN } from '../../schemas/common.js'
import { type Contract, outcomeId, statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { bodySchema, type ErrorShape, sampleBody } from '../../schemas/errors.js'
import { defaultReadings } from '../../schemas/interpretations.js'
import { FAULTS } from '../../schemas/scenario.js'
import type { Server } from '../../src/server/create-server.js'
import { checkOf } from '../../src/validation/check.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { build, lastExchange, requestOf, send } from '../helper.js'
import { traces } from './play.js'

/** A request with nothing right but method and path: no token, no body, no parameters, no such record. */
function nothingRight({ method, path }: Contract, query = '', headers: Record<string, string> = {}): InjectOptions {
  return { method, url: `${path.replaceAll(/\{\w+\}/g, '~')}${query}`, headers }
}

/** Whether an answer is the outcome, in every way that an answer shows it. */
function isOutcome(t: Test, server: Server, response: LightMyRequestResponse, contract: Contract, status: number) {
  const shape: ErrorShape = server.worlds.shared.settings.readings.errorBody
  const { headers } = response
  t.equal(response.statusCode, status)
  const sample = JSON.stringify(sampleBody(contract, status, shape)).replace(SAMPLE_ORIGIN, 'http://localhost:80')
  t.same(response.json(), JSON.parse(sample), 'the sample body, its links into this server')
  t.same(checkOf(bodySchema(contract, status, shape)!)(response.json()), [], 'which fits its schema')
  t.equal(headers['x-mock-outcome'], outcomeId(contract, status))
  t.equal(headers['x-mock-error'], undefined)
  const entry = entryOf(lastExchange(server))
  t.equal(headers['x-mock-exchange'], entry.id)
  t.match(entry, { operation: contract.id, outcome: outcomeId(contract, status), status, deviations: [] })
  t.equal(entry.trace.answeredBy, 'forceOutcome', 'before auth, parsing and validation')
  return entry.cause
}

t.test('every declared outcome, by header, query and scenario, on a request with nothing right', async (t) => {
  const server = await build(t)
  const { app } = server
  const before = traces(server)
  for (const contract of contracts as readonly Contract[]) {
    for (const status of statusesOf(contract)) {
      const name = outcomeId(contract, status)
      t.test(name, async (t) => {
        const byHeader = await app.inject(nothingRight(contract, '', { prefer: `code=${status}` }))
        t.equal(isOutcome(t, server, byHeader, contract, status), 'prefer')
        t.equal(byHeader.headers['preference-applied'], `code=${status}`)

        const byQuery = await app.inject(nothingRight(contract, `?__code=${status}`))
        t.equal(isOutcome(t, server, byQuery, contract, status), 'prefer')
        t.equal(byQuery.headers['preference-applied'], `code=${status}`)

        const preferred = await app.inject(nothingRight(contract, `?__scenario=${name}`))
        t.equal(isOutcome(t, server, preferred, contract, status), `scenario:${name}#1`)

        const put = await app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}`, payload: { active: true } })
        t.match(put.json(), { name, active: true })
        const byAdmin = await app.inject(nothingRight(contract))
        t.equal(isOutcome(t, server, byAdmin, contract, status), `scenario:${name}#1`)
        t.equal(byAdmin.headers['preference-applied'], undefined)
        await app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}`, payload: { active: false } })

        const other = await build(t, { scenario: [name] })
        const byOption = await other.app.inject(nothingRight(contract))
        t.equal(isOutcome(t, other, byOption, contract, status), `scenario:${name}#1`)
      })
    }
  }
  t.test('and none of them leaves a trace in the state', async (t) => t.equal(traces(server), before))
})

t.test('forced errors come in the shape that the server is set to', async (t) => {
  const server = await build(t, { readings: { ...defaultReadings, errorBody: 'flat' } })
  for (const contract of contracts as readonly Contract[]) {
    const response = await server.app.inject(nothingRight(contract, '?__code=401'))
    isOutcome(t, server, response, contract, 401)
  }
})

t.test('a forced outcome in a sandbox is the sandbox’s alone', async (t) => {
  const server = await build(t)
  const [, , , , histories] = contracts as readonly Contract[]
  await server.app.inject({ method: 'PUT', url: '/~one/__admin/scenarios/listCreditHistories:401' })
  t.equal((await send(server, histories!, { sandbox: 'one' })).statusCode, 401)
  t.equal((await send(server, histories!, { sandbox: 'two' })).statusCode, 200)
  t.equal((await send(server, histories!)).statusCode, 200)
})

const [upload, , , search, histories, invite] = contracts as readonly Contract[] as readonly [
  Contract,
  Contract,
  Contract,
  Contract,
  Contract,
  Contract,
]

/** What cannot be read or does not exist, and what the problem says. */
const problems: readonly (readonly [prefer: string, code: string, says: RegExp])[] = [
  ['code=404', 'undeclared-outcome', /listCreditHistories does not declare 404\. It declares 200, 400, 401: ask/],
  ['code=200.5', 'malformed-preference', /'code' must be a status such as 409, not '200\.5'/],
  ['code', 'malformed-preference', /'code' must be a status such as 409, not ''/],
  ['code="4 0 1"', 'malformed-preference', /not '4 0 1'/],
  ['delay=-1', 'malformed-preference', /'delay' must be whole milliseconds from 0 to 600000, not '-1'/],
  ['delay=600001', 'malformed-preference', /not '600001'/],
  ['delay=1e3', 'malformed-preference', /not '1e3'/],
  ['scenario=', 'malformed-preference', /the name of a scenario, as listed by GET \/__admin\/scenarios/],
  ['scenario=slow-everythin', 'unknown-scenario', /no scenario 'slow-everythin'\. Did you mean 'slow-everything'\?/],
  ['scenario=listCreditHistories:500', 'unknown-scenario', /Did you mean 'listCreditHistories:200'\?/],
  [
    'fault=TIMEOT',
    'malformed-preference',
    /one of CONNECTION_RESET_BY_PEER, .*, not 'TIMEOT'\. Did you mean 'TIMEOUT'/,
  ],
  ['code=401 delay"1', 'malformed-preference', /'code' must be a status such as 409, not '401 delay"1'/],
  ['=401', 'malformed-preference', /cannot be read at '=401': write Prefer: code=409, delay=1500/],
]

t.test('what is not declared, not there or not readable is a problem that says what is', async (t) => {
  const server = await build(t)
  for (const [prefer, code, says] of problems) {
    const response = await server.app.inject(nothingRight(histories, '', { prefer }))
    t.equal(response.statusCode, 400, prefer)
    t.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8')
    t.equal(response.headers['x-mock-error'], code)
    t.equal(response.headers['x-mock-outcome'], undefined)
    t.match(response.json(), { type: `urn:countersign:problem:${code}`, status: 400, code, detail: says })
    t.equal(lastExchange(server).outcome, null, 'which counts as no outcome')
  }
  const undeclared = await server.app.inject(nothingRight(invite, '?__code=404'))
  t.same(undeclared.json().declared, statusesOf(invite))
  const unknown = await server.app.inject(nothingRight(invite, '?__scenario=nope'))
  t.match(unknown.json().scenarios, ['empty-account', 'expired-token'])
  const twice = await server.app.inject(nothingRight(invite, '?__code=409&__code=500'))
  t.match(twice.json(), { code: 'malformed-preference', detail: /'code' must be given once, not '409,500'/ })
  const fault = await server.app.inject(nothingRight(invite, '?__fault=NONE'))
  for (const one of FAULTS) t.match(fault.json().detail, one)
})

/** Ways to write a preference, and what is applied of it. */
const writings: readonly (readonly [prefer: string, query: string, status: number, applied: string | undefined])[] = [
  ['respond-async, wait=10', '', 200, undefined],
  ['return=minimal; foo="a, b", handling=lenient', '', 200, undefined],
  ['return=minimal; foo="a, b", code=401', '', 401, 'code=401'],
  ['CODE=401', '', 401, 'code=401'],
  [' code = 401 ', '', 401, 'code=401'],
  ['code="401"', '', 401, 'code=401'],
  ['code="4\\01"; note=x', '', 401, 'code=401'],
  ['code=401,,', '', 401, 'code=401'],
  ['code=401', '__code=400', 401, 'code=401'],
  ['wait=10', '__code=400', 400, 'code=400'],
  ['code=401, code=400', '', 401, 'code=401'],
  ['delay=1, code=401', '', 401, 'delay=1, code=401'],
  ['delay=1', '__code=401', 401, 'delay=1, code=401'],
  ['delay=1', '', 200, 'delay=1'],
  ['scenario=listCreditHistories:400', '', 400, 'scenario=listCreditHistories:400'],
  ['scenario="listCreditHistories:400", delay=1', '', 400, 'scenario=listCreditHistories:400, delay=1'],
  ['scenario=listCreditHistories:400, code=401', '', 401, 'scenario=listCreditHistories:400, code=401'],
]

t.test('preferences are read as RFC 7240 has them; those of others are ignored', async (t) => {
  const server = await build(t)
  for (const [prefer, query, status, applied] of writings) {
    const { url, ...request } = requestOf(histories)
    const response = await server.app.inject({
      ...request,
      url: `${url}&${query}`,
      headers: { ...request.headers, prefer },
    })
    t.equal(response.statusCode, status, `${prefer} ${query}`)
    t.equal(response.headers['preference-applied'], applied)
  }
})

t.test('the query twins are gone before the request is checked', async (t) => {
  const server = await build(t, { strict: true })
  const response = await send(server, search, { query: { __delay: '1', __scenario: 'expired-token' } })
  t.equal(response.statusCode, 200, 'even where unknown keys are refused')
  t.same(lastExchange(server).violations, [])
  t.notMatch(Object.keys(lastExchange(server).query).join(), '__')
  t.match(lastExchange(server).url, '__delay=1', 'the journal keeps the URL as it came')
})

t.test('a delay holds the answer back, whichever it is', async (t) => {
  const server = await build(t)
  const { app } = server
  for (const request of [nothingRight(histories), nothingRight(histories, '?__code=200'), requestOf(histories)]) {
    const started = performance.now()
    await app.inject({ ...request, headers: { ...request.headers, prefer: 'delay=80' } })
    t.ok(performance.now() - started >= 79)
    t.ok(lastExchange(server).duration! >= 79, 'and the journal shows it')
  }
})

t.test('a preference for a scenario holds for that request alone, and comes before those that are on', async (t) => {
  const server = await build(t, { scenario: ['uploadSignature:401'] })
  t.equal((await send(server, upload, { headers: { prefer: 'scenario=uploadSignature:422' } })).statusCode, 422)
  t.equal((await send(server, upload)).statusCode, 401)
  t.same(server.worlds.root.playback.active, ['uploadSignature:401'])
})

t.test('a scenario whose name is no ASCII can be asked for', async (t) => {
  const folder = t.testdir({ '遅い.yaml': 'rules: [{ on: listCreditHistories, answer: { status: 401 } }]' })
  const server = await build(t, { scenarios: folder })
  const response = await send(server, histories, { query: { __scenario: '遅い' } })
  t.equal(response.statusCode, 401)
  t.equal(response.headers['preference-applied'], `scenario=${encodeURIComponent('遅い')}`)
})
