import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { line, userType } from '../../schemas/common.js'
import { defineContract, outcomeId, statusesOf } from '../../schemas/contract.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { defineOperation } from '../../src/operations/handler.js'
import { asCurl } from '../../src/world/journal/as-curl.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { all, answerOf, build, type Changes, lastExchange, messageOf, send } from '../helper.js'
import { parts, removeProject, UUID, VALID } from './remove-project.js'

/** A server, and what it says of a body that is sent as it stands. */
async function served(t: Test) {
  const server = await build(t, {}, parts)
  const sendRaw = (payload: string | Buffer, type: string | undefined = 'application/json', more = {}) => {
    const headers = { authorization: 'Bearer token-admin', ...(type !== '' && { 'content-type': type }), ...more }
    return server.app.inject({ method: 'DELETE', url: `/api/v2/projects/${UUID}`, headers, payload })
  }
  return { server, sendRaw }
}

t.test('it is authenticated, permitted, validated and answered like the others', async (t) => {
  const { server } = await served(t)
  const cases: readonly (readonly [label: string, Changes, number, string | RegExp])[] = [
    ['a valid request', {}, 200, /"told":2/],
    ['no token', { headers: { authorization: undefined } }, 401, /token is missing/],
    ['no permission', { headers: { authorization: 'Bearer token-member' } }, 403, /may not do this/],
    ['no such project', { params: { uuid: '00000000-0000-4000-8000-000000000000' } }, 404, /There is no project/],
    ['no UUID', { params: { uuid: 'nonsense' } }, 422, "The path variable 'uuid' must be a UUID"],
    ['no reason', { json: { reason: undefined } }, 422, "The body field 'reason' is missing: send text"],
    ['an empty reason', { json: { reason: '' } }, 422, "The body field 'reason' must be text"],
    ['a text for a flag', { json: { notify: 'yes' } }, 422, "'notify' must be true or false, not 'yes'."],
    ['null for a flag', { json: { notify: null } }, 422, "The body field 'notify' must be true or false, not null."],
    ['no list', { json: { copies: 'a@b.test' } }, 422, "The body field 'copies' must be a list of an e-mail address"],
    ['a wrong item', { json: { copies: ['a@b.test', 'x'] } }, 422, "'copies[1]' must be an e-mail address"],
    ['a wrong inner value', { json: { owner: { email: 'x' } } }, 422, "'owner.email' must be an e-mail address"],
    ['no inner value', { json: { owner: {} } }, 422, "The body field 'owner.email' is missing"],
  ]
  for (const [label, changes, status, body] of cases) {
    const { statusCode, payload, headers } = await send(server, removeProject, changes)
    t.match([statusCode, payload], [status, body], label)
    t.equal(headers['x-mock-outcome'], outcomeId(removeProject, status), `${label} has its outcome`)
  }
})

t.test('its violations name the place, and say what to send', async (t) => {
  const { server } = await served(t)
  const json = { notify: 'true', copies: ['x'], owner: { email: 'a@b.test', floor: -1 } }
  await send(server, removeProject, { json })
  t.match(lastExchange(server).violations, [
    { code: 'invalid-parameter', where: 'body.notify', fix: `-d '{"notify":true}'` },
    { code: 'invalid-parameter', where: 'body.copies[0]', fix: /^Leave it out, or send an e-mail address/ },
    { code: 'invalid-parameter', where: 'body.owner.floor', fix: /^Leave it out, or send a whole number/ },
  ])
})

t.test('a body that is no JSON gets the invalid status, and a violation that says what to do', async (t) => {
  const { server, sendRaw } = await served(t)
  const valid = JSON.stringify(VALID)
  const form = '--b\r\nContent-Disposition: form-data; name="reason"\r\n\r\nx\r\n--b--\r\n'
  const cases: readonly (readonly [code: string, payload: string | Buffer, type?: string, headers?: object])[] = [
    ['invalid-json', "{reason: 'x'}"],
    ['invalid-json', ''],
    ['invalid-json', '[object Object]'],
    ['invalid-json', Buffer.from([0x22, 0xff, 0x22])],
    ['invalid-json', '{"__proto__": {"a": 1}}'],
    ['not-an-object', `[${valid}]`],
    ['not-an-object', JSON.stringify(valid)],
    ['not-an-object', 'null'],
    ['too-deeply-nested', `{"reason":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['not-json', valid, 'text/plain;charset=UTF-8'],
    ['not-json', form, 'multipart/form-data; boundary=b'],
    ['not-json', 'reason=x', 'application/x-www-form-urlencoded'],
    ['no-content-type', valid, ''],
    ['malformed-content-type', valid, 'json'],
    ['encoded-body', valid, 'application/json', { 'content-encoding': 'gzip' }],
  ]
  for (const [code, payload, type, headers] of cases) {
    const response = await sendRaw(payload, type, headers)
    const label = `${code} (${String(payload).slice(0, 16)})`
    const [violation] = lastExchange(server).violations
    t.match(violation, { code, where: 'body', fix: /\S/ }, `${label} has its violation`)
    t.notMatch(violation?.fix, /FormData|-F\b/, `${label}: no form is asked for`)
    t.same([response.statusCode, messageOf(response)], [422, violation?.message], `${label}: the answer says so`)
  }
  t.equal((await sendRaw(valid, 'application/json; charset=utf-8')).statusCode, 200, 'a charset is taken')
  t.equal((await sendRaw(`\ufeff${valid}`)).statusCode, 200, 'a byte order mark is taken')
  t.equal((await send(server, removeProject, { json: null })).statusCode, 422, 'without any body, fields are missing')
  t.match(lastExchange(server).violations, [{ code: 'missing-parameter', where: 'body.reason' }, {}, {}], 'all of them')
})

t.test('unknown and misspelt names and slips are reported', async (t) => {
  const { server } = await served(t)
  const json = { reason: 'undefined', raeson: 'x', colour: 'red', dry: 'yes', owner: { email: 'a@b.test', flor: 3 } }
  const response = await send(server, removeProject, { query: { dry: undefined, notify: 'true' }, json })
  t.equal(response.statusCode, 200, 'they are no reason to refuse it', { body: response.body })
  const found = Object.fromEntries(lastExchange(server).violations.map((one) => [one.where, one]))
  t.match(found, {
    'body.reason': { code: 'placeholder-value' },
    'body.raeson': { code: 'misnamed-field', fix: "Write 'reason'." },
    'body.colour': { code: 'unknown-field', fix: 'Leave it out.' },
    'body.dry': { code: 'misplaced-field', fix: 'Send it in the query: ?dry=….' },
    'body.owner.flor': { code: 'misnamed-field', fix: "Write 'owner.floor'." },
    'query.notify': { code: 'misplaced-parameter', fix: 'Send it in the JSON body: "notify": ….' },
  })
})

t.test('the journal shows the body, and can give the call again', async (t) => {
  const { server, sendRaw } = await served(t)
  await sendRaw(JSON.stringify({ ...VALID, secret_note: 'hush-hush-hush' }))
  const entry = entryOf(lastExchange(server))
  t.match(entry, { method: 'DELETE', operation: 'removeProject', outcome: 'removeProject:200' }, 'it is in the journal')
  t.strictSame(entry.request.body, { ...VALID, secret_note: '[redacted]' }, 'with its body, but for secrets')
  await sendRaw(JSON.stringify(VALID))
  const again = entryOf(lastExchange(server))
  for (const words of ['-X DELETE', `--data-raw '${JSON.stringify(VALID)}'`])
    t.match(asCurl(again, 'http://a.test'), words, 'as curl')
  for (const format of ['fetch', 'test']) {
    const { body } = await server.app.inject(`/__admin/requests/${again.id}?format=${format}`)
    t.match(body, `body: '${JSON.stringify(VALID)}'`, `as ${format}`)
  }
  await sendRaw(JSON.stringify({ ...VALID, reason: 'x'.repeat(200_000) }))
  const kept = entryOf(lastExchange(server)).request.body
  t.ok(typeof kept === 'string' && kept.length < 100_000, 'of a long one the beginning is kept, as text')
})

t.test('a request is corrected from what was sent', async (t) => {
  const { server, sendRaw } = await served(t)
  const corrected = async (payload: string, type?: string) => {
    await sendRaw(payload, type)
    return entryOf(lastExchange(server)).violations[0]?.corrected?.replace(/.*"\$TOKEN" /, '')
  }
  const line = (body: unknown) => `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  const wrong = { raeson: 'Over.', notify: 'true', copies: ' ada@example.test', owner: { email: 'x', floor: '3' } }
  const owner = { email: 'ada@example.test', floor: 3 }
  const right = line({ reason: 'Over.', notify: true, copies: ['ada@example.test'], owner })
  t.equal(await corrected(JSON.stringify(wrong)), right, 'names and types are repaired, what is unknown is a sample')
  t.equal(await corrected(JSON.stringify(VALID), 'text/plain'), line(VALID), 'JSON of another type is kept')
  const form = await corrected('reason=Over.&notify=false&copies=a%40b.test', 'application/x-www-form-urlencoded')
  t.equal(form, line({ reason: 'Over.', notify: false, copies: ['a@b.test'] }), 'a form becomes JSON')
  t.equal(await corrected('{"reason": '), undefined, 'of what cannot be read there is none')
})

t.test("scenarios' conditions look at it", async (t) => {
  const { server } = await served(t)
  const rules = [
    [{ 'copies[0]': { endsWith: '@late.test' } }, { copies: ['a@late.test'] }],
    [{ copies: { contains: '@late' } }, { copies: ['b@x.test', 'a@late.test'] }],
    [{ notify: false }, { notify: false }],
    [{ 'owner.floor': 7 }, { owner: { email: 'a@b.test', floor: 7 } }],
    [{ owner: { absent: true } }, { owner: undefined }],
  ] as const
  for (const [body, json] of rules) {
    const payload = { rules: [{ on: '*', when: { body }, answer: { status: 503 } }] }
    const put = await server.app.inject({ method: 'PUT', url: '/__admin/scenarios/late', payload })
    server.worlds.root.playback.activate('late')
    t.equal(put.statusCode, 200, 'the scenario is defined', { body: put.body })
    t.equal((await send(server, removeProject, { json })).statusCode, 503, `${JSON.stringify(body)} is met`)
    const other = { reason: 'x', notify: true, copies: ['c@d.test'], owner: { email: 'e@f.test', floor: 1 } }
    t.equal((await send(server, removeProject, { json: other })).statusCode, 200, 'another body does not meet it')
  }
})

t.test('each of its outcomes can be asked for, whatever the request is, and is a scenario', async (t) => {
  const { server } = await served(t)
  for (const status of statusesOf(removeProject)) {
    const headers = { authorization: undefined, prefer: `code=${status}` }
    const answer = answerOf(await send(server, removeProject, { json: null, headers }))
    const applied = { 'preference-applied': `code=${status}` }
    t.match(answer, { status, outcome: outcomeId(removeProject, status), headers: applied }, `${status}`)
    t.equal(lastExchange(server).cause, 'prefer', `${status} has its cause in the journal`)
  }
  const undeclared = answerOf(await send(server, removeProject, { headers: { prefer: 'code=409' } }))
  t.match(undeclared.body, { code: 'undeclared-outcome', declared: [200, 401, 403, 404, 422, 503] })
  const closed = await build(t, { scenario: ['removeProject:503'] }, parts)
  t.equal((await send(closed, removeProject)).statusCode, 503, 'the scenario is on')
  t.match(lastExchange(closed), { cause: 'scenario:removeProject:503#1' }, 'the journal names the scenario')
  const mistaken = build(t, { scenario: ['removeProject:504'] }, parts)
  await t.rejects(mistaken, { message: /Did you mean 'removeProject:404'/ }, 'an undeclared outcome is none')
})

t.test('an answer of its handler that departs from its contract is noted', async (t) => {
  const careless = defineOperation(removeProject, (_, reply) => reply(200, { status: 'success' } as never))
  const server = await build(t, {}, { operations: [careless] })
  await send(server, removeProject)
  t.match(lastExchange(server).deviations, [{ code: 'missing-property', where: 'body.data' }])
  t.equal(server.worlds.root.journal.outcomes['removeProject:200']?.count, 1, 'the outcome is counted')
})

t.test('one with a form and a user type is read, judged and switched by readings like the others', async (t) => {
  const { json: _, ...shared } = removeProject
  const query = Type.Object({ user_type: userType(['SU.1']) })
  const form = Type.Object({ reason: line({ examples: ['Over.'] }) })
  const path = '/api/v2/projects/{uuid}/archive'
  const archiveProject = defineContract({ ...shared, id: 'archiveProject', method: 'PUT', path, query, form })
  const archive = defineOperation(archiveProject, ({ params, form }, reply) =>
    reply(200, { status: 'success', data: { uuid: params.uuid, told: form.reason.length } }),
  )
  const server = await build(t, {}, { operations: [archive] })
  t.match((await send(server, archiveProject)).json(), { data: { told: 5 } }, 'its form is read')
  const other = await send(server, archiveProject, { query: { user_type: 'OTHER' } })
  t.match([other.statusCode, messageOf(other)], [422, "'user_type' must be ENTERPRISE_API, not 'OTHER'"])
  const missing = await send(server, archiveProject, { form: { reason: undefined, resaon: 'x' } })
  t.match([missing.statusCode, messageOf(missing)], [422, "The form field 'reason' is missing"])
  const misnamed = { code: 'misnamed-field', where: 'form.resaon', message: "'reason'" }
  t.match(lastExchange(server).violations, [{ where: 'form.reason' }, misnamed], 'a misspelt field is named')
  const readings: Readings = { ...defaultReadings, missingUserType: 401 }
  const switched = await build(t, { readings }, { operations: [archive] })
  t.equal((await send(switched, archiveProject, { query: { user_type: undefined } })).statusCode, 401, 'by readings')
})

t.test('the others are as they were', async (t) => {
  const { server } = await served(t)
  for (const contract of all) t.equal((await send(server, contract)).statusCode, 200, `${contract.id} succeeds`)
})

t.test('its method is known wherever methods are', async (t) => {
  const { server } = await served(t)
  const url = `/api/v2/projects/${UUID}`
  const wrong = await server.app.inject({ method: 'POST', url })
  t.match([wrong.statusCode, wrong.headers.allow], [405, 'DELETE'], 'another method is told which to use')
  const missed = await server.app.inject({ method: 'DELETE', url: url.replace('projects', 'project') })
  t.match(missed.json(), { nearest: { operation: 'removeProject' } }, 'a near miss names the operation')
  const headers = { origin: 'https://a.test', 'access-control-request-method': 'DELETE' }
  const preflight = await server.app.inject({ method: 'OPTIONS', url, headers })
  t.equal(preflight.headers.allow, 'DELETE, GET, POST, PUT, OPTIONS', 'Allow has the methods of all operations')
  t.match(preflight.headers['access-control-allow-methods'], 'DELETE', 'pages may use it')
  t.equal((await send(server, removeProject, { sandbox: 'w1' })).statusCode, 200, 'a sandbox answers')
})
