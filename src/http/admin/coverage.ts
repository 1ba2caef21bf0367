import { Type } from '@sinclair/typebox'
import { coverageOf } from '../../coverage/coverage.js'
import type { Resource } from './resource.js'

const Query = Type.Object(
  { all: Type.Optional(Type.Boolean({ description: 'Adds up the coverage of all sandboxes.' })) },
  { additionalProperties: false },
)

export const coverage: Resource = (routes, { contracts, worlds }) => {
  routes.get('/coverage', { schema: { querystring: Query } }, (request) => {
    const { all = false } = request.query
    const journals = (all ? worlds.all() : [request.world]).map(({ journal }) => journal.outcomes)
    return coverageOf(contracts, journals)
  })
}
