import type { Resource } from '../../mock/http/admin/resource.js'
import { coverageOf } from './coverage.js'

export const coverage: Resource = (routes, { contracts }) => {
  routes.get('/coverage', ({ sandbox }) => coverageOf(contracts, sandbox.journal.outcomes))
}
