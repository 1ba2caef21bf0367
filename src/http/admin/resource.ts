import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import type { Operation } from '../../operations/handler.js'
import type { World } from '../../world/world.js'
import type { Worlds } from '../../world/worlds.js'

/** What the admin resources work on. */
export interface AdminContext {
  readonly worlds: Worlds
  readonly operations: readonly Operation[]
  readonly version: string
  /** The world that a call is about. */
  readonly worldOf: (request: { readonly world: FastifyRequest['world'] }) => World
}

/** Where a resource registers its routes, whose schemas say what they take; paths are below `/__admin`. */
export type AdminScope = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Registers the routes of one resource. */
export type Resource = (routes: AdminScope, context: AdminContext) => void
