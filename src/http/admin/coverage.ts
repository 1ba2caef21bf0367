import { Type } from '@sinclair/typebox'
import { coverageOf } from '../../coverage/coverage.js'
import { partial, type Resource } from './resource.js'

const Query = partial({ all: Type.Boolean() })

export const coverage: Resource = (routes, { contracts, worlds }) => {
  routes.get('/coverage', { schema: { querystring: Query } }, (request) => {
    const { all = false } = request.query
    const journals = (all ? worlds.all() : [request.world]).map(({ journal }) => journal.outcomes)
    return coverageOf(contracts, journals)
  })
}
