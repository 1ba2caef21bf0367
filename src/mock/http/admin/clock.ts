import { Type } from '@sinclair/typebox'
import { dateTime } from '../../../../schemas/common.js'
import type { World } from '../../sandbox/sandbox.js'
import { Problem } from '../problems.js'
import { partial, type Resource } from './resource.js'

const Setting = partial(
  {
    now: dateTime(),
    advance: Type.Number(),
    frozen: Type.Boolean(),
  },
  { minProperties: 1, 'x-allowed': 'an object with now, advance or frozen' },
)

export const clock: Resource = (routes) => {
  routes.get('/clock', (request) => clockView(request.world))
  routes.put('/clock', { schema: { body: Setting } }, (request) => {
    const { world } = request
    const { now, advance = 0, frozen = world.clock.isFrozen } = request.body
    const time = (now === undefined ? world.clock.now() : Date.parse(now)) + advance
    try {
      world.clock.set(time, frozen)
    } catch (error) {
      throw new Problem('invalid-input', (error as Error).message)
    }
    return clockView(world)
  })
}

function clockView({ clock }: World): { now: string; frozen: boolean } {
  return { now: clock.iso(), frozen: clock.isFrozen }
}
