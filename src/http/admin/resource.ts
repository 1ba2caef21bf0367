import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Operation } from '../../operations/handler.js'
import type { World } from '../../world/world.js'
import type { Worlds } from '../../world/worlds.js'

/** What the admin resources work on. */
export interface AdminContext {
  readonly worlds: Worlds
  readonly operations: readonly Operation[]
  readonly version: string
  /** The world that a call is about. */
  readonly worldOf: (request: FastifyRequest) => World
}

/** What a resource may register: plain routes, since the list of what admin has is made from them. */
export type AdminRoutes = Pick<FastifyInstance, 'get' | 'put' | 'post' | 'patch' | 'delete'>

/** Registers the routes of one resource; paths are below `/__admin`. */
export type Resource = (routes: AdminRoutes, context: AdminContext) => void
