import { Type } from '@sinclair/typebox'
import { writtenTime } from '../../../../schemas/common.js'
import { timeOf } from '../../../../schemas/time.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { Problem } from '../problems.js'
import { partial, type Resource } from './resource.js'

const Setting = partial(
  {
    now: writtenTime(),
    advance: Type.Number(),
    frozen: Type.Boolean(),
  },
  { minProperties: 1, 'x-allowed': 'an object with now, advance or frozen' },
)

export const clock: Resource = (routes) => {
  routes.get('/clock', (request) => clockView(request.sandbox))
  routes.put('/clock', { schema: { body: Setting } }, (request) => {
    const { sandbox } = request
    const { now, advance = 0, frozen = sandbox.clock.isFrozen } = request.body
    const time = (timeOf(now ?? '') ?? sandbox.clock.now()) + advance
    try {
      sandbox.clock.set(time, frozen)
    } catch (error) {
      throw new Problem('invalid-input', (error as Error).message)
    }
    return clockView(sandbox)
  })
}

function clockView({ clock }: Sandbox): { now: string; frozen: boolean } {
  return { now: clock.iso(), frozen: clock.isFrozen }
}
