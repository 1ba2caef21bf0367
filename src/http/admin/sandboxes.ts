import { didYouMean, quote } from '../../text/wording.js'
import { MOST_SANDBOXES } from '../../world/worlds.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

export const sandboxes: Resource = (routes, { worlds }) => {
  routes.get('/sandboxes', () => ({
    sandboxes: worlds.sandboxes().map(({ name, prefix, journal }) => ({ name, path: prefix, requests: journal.total })),
    meta: { most: MOST_SANDBOXES },
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
