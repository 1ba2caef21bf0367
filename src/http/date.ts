import type { FastifyReply } from 'fastify'
import type { World } from '../world/world.js'

/** The header `Date` of a world's answers: its time where its clock is frozen, else the machine's. */
export function httpDate({ clock }: World): string {
  return new Date(clock.frozen ? clock.now() : Date.now()).toUTCString()
}

/** Shows a frozen world's time in an answer; Node shows the machine's in every other. */
export function setDate(reply: FastifyReply, world: World): void {
  if (world.clock.frozen) reply.header('date', httpDate(world))
}
