import { Type } from '@sinclair/typebox'
import type { AdminRoutes } from '../../api.js'
import { isoTime, partial } from '../../contract/fields.js'
import { timeOf } from '../../contract/time.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { Problem } from '../problems.js'

const Setting = partial(
  { now: isoTime(), offset: Type.Number(), advance: Type.Number(), frozen: Type.Boolean() },
  { minProperties: 1, 'x-allowed': 'an object with now, offset, advance or frozen' },
)

export const clock: AdminRoutes = (routes, { sandboxOf }) => {
  routes.get('/clock', (request) => clockView(sandboxOf(request)))
  routes.put('/clock', { schema: { body: Setting } }, (request) => {
    const sandbox = sandboxOf(request)
    const { now, offset, advance = 0, frozen = sandbox.clock.isFrozen } = request.body
    if (now !== undefined && offset !== undefined)
      throw new Problem('invalid-input', "'now' and 'offset' both set the time: send one of them.")
    const systemTime = Date.now()
    const base = timeOf(now ?? '') ?? (offset === undefined ? sandbox.clock.now(systemTime) : systemTime + offset)
    try {
      sandbox.clock.set(base + advance, frozen, systemTime)
    } catch (error) {
      throw new Problem('invalid-input', (error as Error).message)
    }
    return clockView(sandbox)
  })
}

export type ClockView = ReturnType<typeof clockView>

function clockView({ clock }: Sandbox): { now: string; frozen: boolean; offset: number } {
  return { now: clock.iso(), frozen: clock.isFrozen, offset: clock.offset() }
}
