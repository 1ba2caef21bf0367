import { acceptDueInvitations } from '../../operations/invitation.js'
import { InvalidFiles } from '../../text/invalid-files.js'
import { checkFixtures } from '../../world/state/fixtures.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

export const state: Resource = (routes, { worldOf }) => {
  routes.get('/state', (request) => {
    const world = worldOf(request)
    acceptDueInvitations(world)
    return world.state.stored(() => world.state.export())
  })
  routes.put('/state', async (request) => {
    const world = worldOf(request)
    world.state.replace(await checked(request.body))
    return world.state.stored(() => world.state.export())
  })
  routes.post('/reset', async (request) => {
    const world = worldOf(request)
    world.reset()
    await world.state.save()
    return { status: 'ok' }
  })
}

async function checked(body: unknown) {
  try {
    return await checkFixtures(body, 'body')
  } catch (error) {
    if (error instanceof InvalidFiles)
      throw new Problem('invalid-input', `The state is not in the fixtures format. ${error.message}`)
    throw error
  }
}
