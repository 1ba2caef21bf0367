import type { FastifyInstance } from 'fastify'
import type { World } from '../world/world.js'
import type { Worlds } from '../world/worlds.js'
import { knownWorldOf } from './world-of.js'

/** Shows a frozen world's time in its answers; Node shows the machine's in every other. */
export function showFrozenTime(app: FastifyInstance, worlds: Worlds): void {
  app.addHook('onSend', (request, reply, _, done) => {
    const world = request.arrival?.world ?? knownWorldOf(request, worlds)
    // A provider tells its own.
    if (world.clock.frozen && !reply.hasHeader('date')) reply.header('date', httpDate(world))
    done()
  })
}

/** The header `Date` of a world's answers: its time where its clock is frozen, else the machine's. */
export function httpDate({ clock }: World): string {
  return new Date(clock.frozen ? clock.now() : Date.now()).toUTCString()
}
