import { Type } from '@sinclair/typebox'
import { email, line, uuid } from '../../schemas/common.js'
import { bodyNotShown, defineContract, shown } from '../../schemas/contract.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'

export const UUID = 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'

/** What an eighth operation costs, with a JSON body and by another method: its contract … */
export const removeProject = defineContract({
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
  json: Type.Object({
    reason: line({ examples: ['The lease has ended.'] }),
    notify: Type.Boolean({ examples: [true] }),
    copies: Type.Array(email(), { examples: [['ada@example.test']] }),
    owner: Type.Optional(
      Type.Object(
        { email: email(), floor: Type.Optional(Type.Integer({ minimum: 0 })) },
        { examples: [{ email: 'ada@example.test', floor: 2 }] },
      ),
    ),
  }),
  invalid: 422,
  responses: {
    200: shown.answer(
      ['I-01'],
      'The project is removed.',
      Type.Object({ status: Type.String(), data: Type.Object({ uuid: Type.String(), told: Type.Integer() }) }),
      { status: 'success', data: { uuid: UUID, told: 2 } },
    ),
    401: bodyNotShown.error(['I-12'], 'Authentication failed.', 'The user token is missing or invalid.'),
    403: bodyNotShown.error(['I-12'], 'Insufficient permissions.', 'The caller may not remove projects.'),
    404: bodyNotShown.error(['I-12'], 'Project not found.', 'Project not found.'),
    422: bodyNotShown.error(['I-12'], 'Missing or invalid input.', "The body field 'reason' is missing."),
    503: bodyNotShown.error(['I-12'], 'The archive is closed.', 'The archive is closed.'),
  },
})

/** … and its handler, in which the body has the contract's types. */
const remove = defineOperation(removeProject, ({ params, json, world }, reply) => {
  const projects = world.state.collection('projects')
  const project = projects.get(params.uuid.toLowerCase())
  if (project === undefined) return reply(404, `There is no project '${params.uuid}'.`)
  const told: string[] = json.notify ? [...json.copies, ...(json.owner === undefined ? [] : [json.owner.email])] : []
  return reply(200, { status: 'success', data: { uuid: project.uuid, told: told.length } })
})

/** All operations, and this one. */
export const parts = { operations: [...operations, remove] }
/** A body that the operation takes, with the required fields alone. */
export const VALID = { reason: 'The lease has ended.', notify: true, copies: ['ada@example.test'] }
