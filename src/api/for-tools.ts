import type { Api } from '../engine/api.js'

/** What single tools must know of this API: to do without a tool, delete its line, and the files that it names. */
export const forTools: Api['forTools'] = {
  dashboard: () => import('./dashboard.js'),
  verify: () => import('./verify.js'),
}
