import type { Api } from '../engine/api.js'

/** To do without a tool, delete its line and the file that it imports. */
export const forTools: Api['forTools'] = {
  dashboard: () => import('./dashboard.js'),
  verify: () => import('./verify.js'),
}
