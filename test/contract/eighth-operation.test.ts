import { Type } from '@sinclair/typebox'
import t from 'tap'
import { email, line, userType, uuid } from '../../schemas/common.js'
import { bodyNotShown, defineContract, outcomeId, shown, statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { verifyDocument } from '../../schemas/verify-document.js'
import { countExchange, emptyReport } from '../../src/coverage/report.js'
import { openapiDocument } from '../../src/docs/openapi/document.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'
import { verifyProvider } from '../../src/provider/verify.js'
import { inFront } from '../forward/provider.js'
import { all, answerOf, build, type Changes, lastExchange, messageOf, send } from '../helper.js'
import { others } from '../switches/readings.js'
import { listening } from '../wire.js'

const UUID = 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'

/** What an eighth operation costs, by another method: its contract … */
const removeProject = defineContract({
  id: 'removeProject',
  section: 8,
  summary: 'Remove a project',
  description: 'Removes a project, and tells people.',
  cites: ['I-12'],
  method: 'DELETE',
  path: '/api/v2/projects/{uuid}',
  tokenHeaders: ['authorization'],
  permission: 'manage_sub_organization_members',
  params: Type.Object({ uuid: uuid({ examples: [UUID] }) }),
  query: Type.Object({ dry: Type.Optional(line({ examples: ['yes'] })) }),
  form: Type.Object({
    reason: line({ examples: ['The lease has ended.'] }),
    owner: Type.Optional(email({ examples: ['ada@example.test'] })),
  }),
  invalid: 422,
  responses: {
    200: shown.answer(
      ['I-01'],
      'The project is removed.',
      Type.Object({ status: Type.String(), data: Type.Object({ uuid: Type.String(), reason: Type.String() }) }),
      { status: 'success', data: { uuid: UUID, reason: 'The lease has ended.' } },
    ),
    401: bodyNotShown.error(['I-12'], 'Authentication failed.', 'The user token is missing or invalid.'),
    403: bodyNotShown.error(['I-12'], 'Insufficient permissions.', 'The caller may not remove projects.'),
    404: bodyNotShown.error(['I-12'], 'Project not found.', 'Project not found.'),
    422: bodyNotShown.error(['I-12'], 'Missing or invalid input.', "The form field 'reason' is missing."),
    503: bodyNotShown.error(['I-12'], 'The archive is closed.', 'The archive is closed.'),
  },
})

/** … and its handler, in which the form has the contract's types. */
const remove = defineOperation(removeProject, ({ params, form, world }, reply) => {
  const project = world.state.collection('projects').get(params.uuid.toLowerCase())
  if (project === undefined) return reply(404, `There is no project '${params.uuid}'.`)
  return reply(200, { status: 'success', data: { uuid: project.uuid, reason: form.reason } })
})

const parts = { operations: [...operations, remove] }

t.test('it is authenticated, permitted, validated and answered like the others', async (t) => {
  const server = await build(t, {}, parts)
  const cases: readonly (readonly [label: string, Changes, number, string | RegExp])[] = [
    ['a valid request', {}, 200, /"reason":"The lease has ended."/],
    ['no token', { headers: { authorization: undefined } }, 401, /token is missing/],
    ['no permission', { headers: { authorization: 'Bearer token-member' } }, 403, /may not do this/],
    ['no such project', { params: { uuid: '00000000-0000-4000-8000-000000000000' } }, 404, /There is no project/],
    ['no UUID', { params: { uuid: 'nonsense' } }, 422, "The path variable 'uuid' must be a UUID"],
    ['no reason', { form: { reason: undefined } }, 422, "The form field 'reason' is missing: send text"],
    [
      'an empty reason',
      { form: { reason: '' } },
      422,
      "The form field 'reason' is empty (''), and so missing: send text",
    ],
    ['no address', { form: { owner: 'x' } }, 422, "The form field 'owner' must be an e-mail address"],
  ]
  for (const [label, changes, status, body] of cases) {
    const { statusCode, payload, headers } = await send(server, removeProject, changes)
    t.match([statusCode, payload], [status, body], label)
    t.equal(headers['x-mock-outcome'], outcomeId(removeProject, status), `${label} has its outcome`)
  }
  for (const contract of all) t.equal((await send(server, contract)).statusCode, 200, `${contract.id} succeeds, too`)
})

t.test('each of its outcomes can be asked for, whatever the request is, and is a scenario', async (t) => {
  const server = await build(t, {}, parts)
  for (const status of statusesOf(removeProject)) {
    const headers = { authorization: undefined, prefer: `code=${status}` }
    const answer = answerOf(await send(server, removeProject, { form: { reason: undefined }, headers }))
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

t.test('one with a user type is read, judged and switched by readings like the others', async (t) => {
  const query = Type.Object({ user_type: userType(['SU.1']) })
  const form = Type.Object({ reason: line({ examples: ['Over.'] }) })
  const path = '/api/v2/projects/{uuid}/archive'
  const archiveProject = defineContract({ ...removeProject, id: 'archiveProject', method: 'PUT', path, query, form })
  const archive = defineOperation(archiveProject, ({ params, form }, reply) =>
    reply(200, { status: 'success', data: { uuid: params.uuid, reason: form.reason } }),
  )
  const server = await build(t, {}, { operations: [archive] })
  t.match((await send(server, archiveProject)).json(), { data: { reason: 'Over.' } }, 'its form is read')
  const other = await send(server, archiveProject, { query: { user_type: 'OTHER' } })
  t.match([other.statusCode, messageOf(other)], [422, "'user_type' must be ENTERPRISE_API, not 'OTHER'"])
  const missing = await send(server, archiveProject, { form: { reason: undefined, resaon: 'x' } })
  t.match([missing.statusCode, messageOf(missing)], [422, /The form field 'reason' is missing/])
  const misnamed = { code: 'misnamed-field', where: 'form.resaon', message: "'reason'" }
  t.match(lastExchange(server).violations, [misnamed], 'a misspelt field is named')
  const readings: Readings = { ...defaultReadings, missingUserType: 401 }
  const switched = await build(t, { readings }, { operations: [archive] })
  t.equal((await send(switched, archiveProject, { query: { user_type: undefined } })).statusCode, 401, 'by readings')
})

t.test('it follows the readings', async (t) => {
  const readings = { ...defaultReadings, ...others, errorBody: { code: '{status}', text: '{message}' } }
  const server = await build(t, { readings }, parts)
  t.equal((await send(server, removeProject)).statusCode, 201, 'its success has the status of the readings')
  const refused = await send(server, removeProject, { form: { reason: undefined } })
  t.match(refused.json(), { code: 422, text: /'reason' is missing/ }, 'its errors have their body')
  t.strictSame(lastExchange(server).deviations, [], 'no answer departs from it')
})

t.test('OpenAPI, the docs page and coverage have it', async (t) => {
  const document = openapiDocument([...contracts, removeProject], { version: '3.1', packageVersion: '1.2.3' })
  const { requestBody } = JSON.parse(JSON.stringify(document)).paths[removeProject.path].delete
  const sample = { value: { reason: 'The lease has ended.', owner: 'ada@example.test' } }
  t.match(requestBody, { required: true, content: { 'multipart/form-data': { examples: { sample } } } })
  const server = await build(t, {}, parts)
  t.match((await server.app.inject('/__admin/docs')).body, '<a href="#removeProject">')
  await send(server, removeProject)
  const report = emptyReport()
  countExchange(report, lastExchange(server))
  t.strictSame(report.optional, { 'removeProject?dry': 1, 'removeProject#owner': 1 }, 'optional fields are counted')
})

t.test('verify calls it, wrongly as well', async (t) => {
  const { server, url } = await listening(t, {}, parts)
  for (const allowWrites of [false, true]) {
    const mock = { url: `${url}/~w-${allowWrites}`, token: 'token-admin', tokenWithoutPermission: 'token-member' }
    const target = { ...mock, headers: [], timeout: 5_000, retries: 0 }
    const both = [removeProject, verifyDocument]
    const { findings, unavailable } = await verifyProvider(defaultReadings, both, target, { allowWrites })
    t.strictSame(unavailable, [], 'it is available')
    const drift = findings.filter(({ state, operation }) => state === 'drift' && operation === 'removeProject')
    t.strictSame(drift, [], 'a mock is as its contract says')
    const exchanges = server.worlds.sandbox(`w-${allowWrites}`)?.journal.exchanges() ?? []
    const own = exchanges.filter(({ contract }) => contract?.id === 'removeProject')
    const statuses = new Set(own.map(({ status }) => status))
    t.same([...statuses].sort(), allowWrites ? [200, 401, 403, 404, 422] : [401, 403, 404, 422], 'each way is tried')
  }
})

t.test('in front of a provider it passes on as it is, and is judged', async (t) => {
  const behind = await listening(t, {}, parts)
  const { server } = await inFront(t, behind.url, {}, parts)
  t.equal((await send(server, removeProject)).statusCode, 200, 'it is carried out there')
  for (const one of [behind.server, server]) {
    const { form, violations, deviations } = lastExchange(one)
    t.match(
      { form, violations, deviations },
      { form: { reason: 'The lease has ended.' }, violations: [], deviations: [] },
    )
  }
  t.match(lastExchange(server), { cause: 'provider' })
  await send(server, removeProject, { form: { owner: 'x' } })
  t.match(lastExchange(server).violations, [{ where: 'form.owner' }], 'its violations are noted')
})
