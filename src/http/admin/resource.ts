import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type ObjectOptions, type TProperties, Type } from '@sinclair/typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { Contract } from '../../../schemas/contract.js'
import type { Worlds } from '../../world/worlds.js'

export interface AdminContext {
  readonly worlds: Worlds
  readonly contracts: readonly Contract[]
  readonly version: string
}

/** Paths are below `/__admin`; each route's schemas say what it takes. */
export type AdminScope = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What a query or a body may contain: some of these. */
export function partial<Properties extends TProperties>(properties: Properties, options: ObjectOptions = {}) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false, ...options })
}

export type Resource = (routes: AdminScope, context: AdminContext) => void
