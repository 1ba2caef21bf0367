import type { FastifyReply } from 'fastify'
import type { World } from '../../world/world.js'

/** A page for people about one record. */
export interface Page {
  /** With the record's id as `:id`. */
  readonly path: string
  /** What its buttons do, each a POST below its path. */
  readonly actions: readonly string[]
  /** Shows it; `here` leads from the page that was asked for to its own address in the sandbox. */
  readonly show: (world: World, id: string, here: string, reply: FastifyReply) => Promise<FastifyReply>
  /** Performs the action of a button; an action that is no longer possible does nothing. */
  readonly act: (world: World, id: string, action: string) => Promise<void>
}
