import type { AdminRoutes } from '../../api.js'
import { didYouMean, quote } from '../../contract/wording.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'

export const sandboxes: AdminRoutes = (routes, { sandboxes }) => {
  routes.get('/sandboxes', () => ({
    sandboxes: sandboxes.named().map((sandbox) => ({ name: sandbox.name, path: sandbox.prefix, ...usageOf(sandbox) })),
    root: usageOf(sandboxes.root),
  }))
  routes.delete('/sandboxes/:name', (request) => {
    const name = pathParam(request, 'name')
    if (sandboxes.delete(name)) return { status: 'ok' }
    const names = sandboxes.named().map((sandbox) => sandbox.name as string)
    const hint = didYouMean(name, names)
    throw new Problem('not-found', `There is no sandbox ${quote(name)}.${hint} GET /__admin/sandboxes lists them.`)
  })
}

export type SandboxUse = ReturnType<typeof usageOf>

/** `lastUsed` is real time, not the sandbox's. */
function usageOf({ journal: { total, lastRequestAt }, player: { active } }: Sandbox) {
  const lastUsed = lastRequestAt === undefined ? null : new Date(lastRequestAt).toISOString()
  return { requests: total, lastUsed, active }
}
