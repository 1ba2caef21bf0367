import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../schemas/common.js'
import { quote } from '../../text/wording.js'
import { aspects } from '../../world/world.js'
import { requireInput } from '../compilers.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

const Parts = Type.Object(
  { of: Type.Optional(Type.Array(oneOf(aspects), { description: 'Which parts to keep; all of them, if omitted.' })) },
  { additionalProperties: false, 'x-allowed': "an object with 'of', a list of parts" },
)

export const checkpoints: Resource = (routes, { checkpoints, worldOf }) => {
  routes.post('/checkpoints', (request, reply) => {
    const { of = aspects } = requireInput(Parts, request.body ?? {})
    return reply.code(201).send({ id: checkpoints.make(worldOf(request), of) })
  })
  routes.post('/checkpoints/:id/restore', async (request) => {
    const { id } = request.params as { id: string }
    if (await checkpoints.restore(id)) return { status: 'ok' }
    throw new Problem('not-found', `There is no checkpoint ${quote(id)}. One is kept for ten seconds.`)
  })
}
