import type { FastifyReply, FastifyRequest } from 'fastify'
import type { World } from '../world/world.js'
import type { Worlds } from '../world/worlds.js'
import { knownWorldOf } from './world-of.js'

type OnSend = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: () => void) => void

/** Shows a frozen world's time in answers that belong to no exchange; Node shows the machine's in every other. */
export function showFrozenTime(worlds: Worlds): OnSend {
  return (request, reply, _, done) => {
    const world = knownWorldOf(request, worlds)
    if (world.clock.frozen) reply.header('date', httpDate(world))
    done()
  }
}

/** The header `Date` of a world's answers: its time where its clock is frozen, else the machine's. */
export function httpDate({ clock }: World): string {
  return new Date(clock.frozen ? clock.now() : Date.now()).toUTCString()
}
