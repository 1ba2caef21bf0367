import type { Api } from '../engine/api.js'

/** To remove a tool, delete its line and the file that the line imports. */
export const forTools: Api['forTools'] = {
  dashboard: () => import('./dashboard.js'),
  verify: () => import('./verify.js'),
}
