import type { Resource } from '../../mock/http/admin/resource.js'
import { coverageOf } from './coverage.js'

export const coverage: Resource = (routes, { contracts }) => {
  routes.get('/coverage', ({ world }) => coverageOf(contracts, world.journal.outcomes))
}
