import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { defaultReadings } from '../../schemas/readings.js'
import { verifyDocument } from '../../schemas/verify-document.js'
import { countExchange, emptyReport } from '../../src/coverage/report.js'
import { curlLine } from '../../src/docs/example-call.js'
import { openapiDocument } from '../../src/docs/openapi/document.js'
import { openapiVersions } from '../../src/docs/openapi/versions.js'
import { verifyProvider } from '../../src/provider/verify.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { inFront } from '../forward/provider.js'
import { build, lastExchange, requestOf, send } from '../helper.js'
import { others } from '../switches/readings.js'
import { listening } from '../wire.js'
import { parts, removeProject, UUID, VALID } from './remove-project.js'

const all = [...contracts, removeProject]
const CURL = '/usr/bin/curl'
const FULL = { ...VALID, owner: { email: 'ada@example.test', floor: 2 } }

t.test('OpenAPI has its body as JSON, in both versions', async (t) => {
  for (const version of openapiVersions) {
    const document = openapiDocument(all, { version, packageVersion: '1.2.3' })
    const { requestBody, responses } = JSON.parse(JSON.stringify(document)).paths[removeProject.path].delete
    const schema = { type: 'object', required: Object.keys(VALID), properties: { notify: { type: 'boolean' } } }
    const content = { 'application/json': { schema, examples: { sample: { value: FULL } } } }
    t.match(requestBody, { required: true, content }, `${version} says so, with a sample`)
    t.match(JSON.stringify(responses[422]), "The body field 'notify' is missing.", `${version} has samples of refusals`)
    if (version !== '3.1') continue
    const ajv = addFormats.default(new Ajv2020({ strict: false }))
    t.ok(ajv.validate(requestBody.content['application/json'].schema, FULL), 'the sample fits the schema')
  }
})

t.test('its curl line works', { skip: existsSync(CURL) ? false : `${CURL} is not installed here` }, async (t) => {
  const { server, url } = await listening(t, {}, parts)
  const line = curlLine(removeProject, url, 'token-admin', ' ')
  t.match(line, `-H 'Content-Type: application/json' -d '${JSON.stringify(FULL)}'`, 'it has the body')
  const [, ...words] = line.match(/'[^']*'|\S+/g) as string[]
  await promisify(execFile)(CURL, ['-s', ...words.map((word) => word.replaceAll("'", ''))])
  const { outcome, violations } = entryOf(lastExchange(server))
  t.same([outcome, violations], ['removeProject:200', []], 'it is carried out')
})

t.test('verify sends it, wrongly as well, and puts nothing into a form', async (t) => {
  const { server, url } = await listening(t, {}, parts)
  for (const allowWrites of [false, true]) {
    const mock = { url: `${url}/~w-${allowWrites}`, token: 'token-admin', tokenWithoutPermission: 'token-member' }
    const target = { ...mock, headers: [], timeout: 5_000, retries: 0 }
    const data = { removeProject: { json: { copies: ['grace@example.test'] } } }
    const choices = { allowWrites, data }
    const both = [removeProject, verifyDocument]
    const { findings, unavailable } = await verifyProvider(defaultReadings, both, target, choices)
    t.strictSame(unavailable, [], 'it is available')
    const drift = findings.all.filter(({ state, operation }) => state === 'drift' && operation === 'removeProject')
    t.strictSame(drift, [], 'a mock is as its contract says')
    const exchanges = server.worlds.sandbox(`w-${allowWrites}`)?.journal.exchanges() ?? []
    const own = exchanges.filter(({ contract }) => contract?.id === 'removeProject')
    const statuses = new Set(own.map(({ status }) => status))
    t.same([...statuses].sort(), allowWrites ? [200, 401, 403, 404, 422] : [401, 403, 404, 422], 'each way is tried')
    for (const { headers } of own) t.equal(headers['content-type'], 'application/json', 'always as JSON')
    const written = own.some(({ json }) => JSON.stringify(json ?? null).includes('grace@'))
    t.equal(written, allowWrites, 'what the user named is written to where writes are allowed, and only there')
  }
})

t.test('in front of a provider it passes on as it is, and is judged', async (t) => {
  const behind = await listening(t, {}, parts)
  const { server } = await inFront(t, behind.url, {}, parts)
  t.equal((await send(server, removeProject)).statusCode, 200, 'it is carried out there')
  for (const one of [behind.server, server]) {
    const { json, violations, deviations } = lastExchange(one)
    t.same([json, violations, deviations], [FULL, [], []], 'with its body, in both journals')
  }
  t.match(lastExchange(server), { cause: 'provider' })
  await send(server, removeProject, { json: { notify: 'yes' } })
  t.match(lastExchange(server).violations, [{ where: 'body.notify' }], 'its violations are noted')
  await send(server, removeProject, { headers: { 'content-type': 'text/plain' } })
  t.match(lastExchange(server).violations, [{ code: 'not-json' }], 'another type, too')
  const rule = { on: '*', when: { body: { 'copies[0]': 'x@y.test' } }, answer: { status: 503 } }
  await server.app.inject({ method: 'PUT', url: '/__admin/scenarios/late', payload: { rules: [rule] } })
  server.worlds.root.playback.activate('late')
  const late = await send(server, removeProject, { json: { copies: ['x@y.test'] } })
  t.equal(late.statusCode, 503, 'a scenario looks at it first')
})

t.test('it follows the readings, and varies', async (t) => {
  const readings = { ...defaultReadings, ...others, errorBody: { code: '{status}', text: '{message}' } }
  const server = await build(t, { readings }, parts)
  t.equal((await send(server, removeProject)).statusCode, 201, 'its success has the status of the readings')
  const refused = await send(server, removeProject, { json: { reason: undefined } })
  t.match(refused.json(), { code: 422, text: /'reason' is missing/ }, 'its errors have their body')
  t.strictSame(lastExchange(server).deviations, [], 'no answer departs from it')
  t.equal(contractsUnder([removeProject], readings)[0]?.json, removeProject.json, 'not its body')
  const varying = await build(t, { vary: true }, parts)
  for (let nth = 0; nth < 5; nth++) {
    t.match(String((await send(varying, removeProject)).statusCode), /^20[01]$/, 'it succeeds')
    t.strictSame(lastExchange(varying).deviations, [], 'no answer departs from it')
  }
})

t.test('a recorded scenario asks for its body, and coverage counts its optional fields', async (t) => {
  const server = await build(t, {}, parts)
  await send(server, removeProject)
  const report = emptyReport()
  countExchange(report, lastExchange(server))
  t.strictSame(report.optional, { 'removeProject?dry': 1, 'removeProject#owner': 1 }, 'the fields are counted')
  const { body } = await server.app.inject('/__admin/requests?format=scenario')
  const names = /body:\n +reason: The lease has ended\.\n +notify: true\n +copies\[0\]: ada@example\.test\n/
  t.match(body, names, 'by names')
  t.match(body, /owner\.floor: 2\n/, 'of inner places, too')
})

t.test('it is called by fetch, which must say its type', async (t) => {
  const { server, url } = await listening(t, {}, parts)
  const { url: path, headers, payload } = requestOf(removeProject)
  const call = { method: 'DELETE', headers: headers as Record<string, string>, body: payload as string }
  t.equal((await fetch(`${url}${path}`, call)).status, 200, 'it is answered')
  const typeless = { ...call, headers: { authorization: 'Bearer token-admin' } }
  t.equal((await fetch(`${url}/api/v2/projects/${UUID}`, typeless)).status, 422, 'without a type it is text')
  const violation = { code: 'not-json', fix: /Content-Type: application\/json/ }
  t.match(lastExchange(server).violations, [violation], 'which is said')
})
