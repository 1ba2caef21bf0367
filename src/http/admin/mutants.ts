import { readLastRun } from '../../coverage/mutants/last-run.js'
import type { Resource } from './resource.js'

/** What the last run of `countersign mutate` in the server's folder found. */
export const mutants: Resource = (routes, { worldOf }) => {
  routes.get('/mutants', async (request) => ({ lastRun: await readLastRun(worldOf(request).settings.folder) }))
}
