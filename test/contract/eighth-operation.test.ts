import { Type } from '@sinclair/typebox'
import t from 'tap'
import { email, line, uuid } from '../../schemas/common.js'
import { bodyNotShown, defineContract, outcomeId, shown } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { countExchange, emptyReport } from '../../src/coverage/report.js'
import { openapiDocument } from '../../src/docs/openapi/document.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'
import { all, build, type Changes, lastExchange, send } from '../helper.js'

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
