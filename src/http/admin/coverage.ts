import { coverageOf } from '../../coverage/coverage.js'
import type { Resource } from './resource.js'

export const coverage: Resource = (routes, { operations, worldOf, worlds }) => {
  const contracts = operations.map(({ contract }) => contract)
  routes.get('/coverage', (request) => {
    const all = 'all' in (request.query as object)
    const journals = (all ? worlds.all() : [worldOf(request)]).map(({ journal }) => journal.outcomes)
    return coverageOf(contracts, journals)
  })
}
