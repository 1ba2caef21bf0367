import type { FastifyReply } from 'fastify'
import type { World } from '../../world/world.js'

export interface Page {
  readonly path: string
  /** Buttons; each is a POST below the path. */
  readonly actions: readonly string[]
  /** `here`: the relative URL of the page in its sandbox. */
  readonly show: (world: World, id: string, here: string, reply: FastifyReply) => Promise<FastifyReply>
  /** Does nothing if the action is no longer possible. */
  readonly act: (world: World, id: string, action: string) => Promise<void>
}
