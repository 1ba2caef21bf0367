import type { World } from '../../sandbox/sandbox.js'
import { didYouMean, quote } from '../../text/wording.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

export const sandboxes: Resource = (routes, { worlds }) => {
  routes.get('/sandboxes', () => ({
    sandboxes: worlds.sandboxes().map((world) => ({ name: world.name, path: world.prefix, ...useOf(world) })),
    root: useOf(worlds.root),
  }))
  routes.delete('/sandboxes/:name', (request) => {
    const { name } = request.params as { name: string }
    if (worlds.delete(name)) return { status: 'ok' }
    const known = worlds.sandboxes().map((world) => world.name as string)
    throw new Problem(
      'not-found',
      `There is no sandbox ${quote(name)}.${didYouMean(name, known)} GET /__admin/sandboxes lists them.`,
    )
  })
}

/** `lastUsed` is by the machine's clock, not by the sandbox's. */
function useOf({ journal: { total, lastBegun }, playback: { active } }: World) {
  return { requests: total, lastUsed: lastBegun === undefined ? null : new Date(lastBegun).toISOString(), active }
}
