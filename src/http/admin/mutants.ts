import { readLastRun } from '../../coverage/mutants/last-run.js'
import type { Resource } from './resource.js'

/** The report of the last `countersign mutate` run in the server's folder. */
export const mutants: Resource = (routes) => {
  routes.get('/mutants', async (request) => ({ lastRun: await readLastRun(request.world.settings.folder) }))
}
