import { coverageOf } from '../../coverage/coverage.js'
import type { Resource } from './resource.js'

export const coverage: Resource = (routes, { contracts }) => {
  routes.get('/coverage', ({ world }) => coverageOf(contracts, world.journal.outcomes))
}
