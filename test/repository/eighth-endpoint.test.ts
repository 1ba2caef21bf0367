import { Type } from '@sinclair/typebox'
import t from 'tap'
import { line, userType, uuid } from '../../schemas/common.js'
import { bodyNotShown, defineContract, outcomeId, shown, statusesOf } from '../../schemas/contract.js'
import { defaultReadings } from '../../schemas/readings.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'
import { answerOf, build, type Changes, lastExchange, messageOf, send } from '../helper.js'
import { others } from '../switches/readings.js'

/** What an eighth endpoint costs: its contract … */
const archiveProject = defineContract({
  id: 'archiveProject',
  section: 8,
  summary: 'Archive a project',
  description: 'Archives a project.',
  cites: ['I-12'],
  method: 'PUT',
  path: '/api/v2/projects/{uuid}/archive',
  tokenHeaders: ['authorization'],
  permission: 'manage_sub_organization_members',
  params: Type.Object({ uuid: uuid({ examples: ['a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'] }) }),
  query: Type.Object({ user_type: userType(['SU.1']) }),
  form: Type.Object({
    reason: line({ examples: ['The lease has ended.'] }),
    note: Type.Optional(line({ examples: ['-'] })),
  }),
  invalid: 422,
  responses: {
    200: shown.answer(
      ['I-01'],
      'The project is archived.',
      Type.Object({ status: Type.String(), data: Type.Object({ uuid: Type.String(), reason: Type.String() }) }),
      { status: 'success', data: { uuid: 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', reason: 'The lease has ended.' } },
    ),
    401: bodyNotShown.error(['I-12'], 'Authentication failed.', 'The user token is missing or invalid.'),
    403: bodyNotShown.error(['I-12'], 'Insufficient permissions.', 'The caller may not archive projects.'),
    404: bodyNotShown.error(['I-12'], 'Project not found.', 'Project not found.'),
    422: bodyNotShown.error(['I-12'], 'Missing or invalid input.', "The form field 'reason' is missing."),
    503: bodyNotShown.error(['I-12'], 'The archive is closed.', 'The archive is closed.'),
  },
})

/** … and its handler. */
const archive = defineOperation(archiveProject, ({ params, form, world }, reply) => {
  const project = world.state.collection('projects').get(params.uuid.toLowerCase())
  if (project === undefined) return reply(404, `There is no project '${params.uuid}'.`)
  return reply(200, { status: 'success', data: { uuid: project.uuid, reason: form.reason } })
})

const parts = { operations: [...operations, archive] }
const NOBODYS = { params: { uuid: '00000000-0000-4000-8000-000000000000' } }

t.test('an eighth endpoint is authenticated, permitted, validated and answered like the others', async (t) => {
  const server = await build(t, {}, parts)
  const cases: readonly (readonly [label: string, Changes, number, RegExp])[] = [
    ['a valid request', {}, 200, /"reason":"The lease has ended\."/],
    ['no token', { headers: { authorization: undefined } }, 401, /token is missing/],
    ['no permission', { headers: { authorization: 'Bearer token-member' } }, 403, /may not do this/],
    ['no such project', NOBODYS, 404, /There is no project/],
    ['no reason', { form: { reason: undefined } }, 422, /The form field 'reason' is missing/],
    ['another user type', { query: { user_type: 'OTHER' } }, 422, /'user_type' must be ENTERPRISE_API, not 'OTHER'/],
    ['no UUID', { params: { uuid: 'nonsense' } }, 422, /The path variable 'uuid' must be a UUID/],
  ]
  for (const [label, changes, status, body] of cases) {
    const response = await send(server, archiveProject, changes)
    const expected = { status, outcome: outcomeId(archiveProject, status), body }
    t.match({ ...answerOf(response), body: response.payload }, expected, label)
  }
})

t.test('it is in the journal, with its violations and deviations', async (t) => {
  const careless = defineOperation(archiveProject, (_, reply) => reply(200, { status: 'success' } as never))
  const server = await build(t, {}, { operations: [careless] })
  await send(server, archiveProject, { form: { resaon: 'x' } })
  t.match(
    lastExchange(server),
    {
      contract: { id: 'archiveProject' },
      outcome: 'archiveProject:200',
      violations: [{ code: 'misnamed-field', where: 'form.resaon', message: "'reason'" }],
      deviations: [{ code: 'missing-property', where: 'body.data' }],
    },
    'the exchange has both',
  )
  t.equal(server.worlds.root.journal.outcomes['archiveProject:200']?.count, 1, 'the outcome is counted')
})

t.test('each of its outcomes can be asked for by Prefer, whatever the request is', async (t) => {
  const server = await build(t, {}, parts)
  for (const status of statusesOf(archiveProject)) {
    const headers = { authorization: undefined, prefer: `code=${status}` }
    const response = await send(server, archiveProject, { ...NOBODYS, headers })
    const applied = { 'preference-applied': `code=${status}` }
    t.match(answerOf(response), { status, outcome: outcomeId(archiveProject, status), headers: applied }, `${status}`)
    t.equal(lastExchange(server).cause, 'prefer', `${status} has its cause in the journal`)
  }
  const undeclared = await send(server, archiveProject, { headers: { prefer: 'code=409' } })
  t.match(undeclared.json(), { code: 'undeclared-outcome', declared: [200, 401, 403, 404, 422, 503] })
})

t.test('each of its outcomes is a scenario', async (t) => {
  const server = await build(t, { scenario: ['archiveProject:503'] }, parts)
  t.equal((await send(server, archiveProject)).statusCode, 503, 'the scenario is on')
  t.match(lastExchange(server), { cause: 'scenario:archiveProject:503#1' }, 'the journal names the scenario')
  server.worlds.root.playback.deactivate('archiveProject:503')
  t.equal((await send(server, archiveProject)).statusCode, 200, 'the scenario is off')
  const undeclared = build(t, { scenario: ['archiveProject:504'] }, parts)
  await t.rejects(undeclared, { message: /Did you mean 'archiveProject:404'/ }, 'an undeclared outcome is none')
})

t.test('it follows the readings like the others', async (t) => {
  const readings = { ...defaultReadings, ...others, errorBody: { code: '{status}', text: '{message}' } }
  const server = await build(t, { readings }, parts)
  t.equal((await send(server, archiveProject)).statusCode, 201, 'it succeeds with the status of the readings')
  const refused = await send(server, archiveProject, { query: { user_type: undefined } })
  t.match(refused.json(), { code: 401, text: /'user_type' is missing/ }, 'its errors have their status and their body')
  t.strictSame(lastExchange(server).deviations, [], 'no answer departs from it')
})

t.test('it is served in sandboxes, its method is guarded, and near misses name it', async (t) => {
  const server = await build(t, {}, parts)
  t.equal((await send(server, archiveProject, { sandbox: 'w1' })).statusCode, 200, 'a sandbox answers')
  const url = archiveProject.path.replace('{uuid}', 'x')
  const posted = await server.app.inject({ method: 'POST', url })
  t.match(posted.headers, { allow: 'PUT' }, 'another method is told which to use')
  const missed = await server.app.inject({ method: 'PUT', url: `${url}d` })
  t.match(missed.json(), { nearest: { operation: 'archiveProject' } }, 'a near miss names the operation')
})

t.test('the others are as they were', async (t) => {
  const server = await build(t, {}, parts)
  for (const { contract } of operations) {
    const response = await send(server, contract)
    t.equal(response.statusCode, 200, `${contract.id} succeeds`, { message: messageOf(response) })
  }
})
