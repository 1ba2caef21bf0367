import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type ObjectOptions, type TProperties, Type } from '@sinclair/typebox'
import type { Contract } from '../../contract/contract.js'
import type { Sandboxes } from '../../sandbox/sandboxes.js'

interface AdminContext {
  readonly sandboxes: Sandboxes
  readonly contracts: readonly Contract[]
  readonly version: string
}

/** Adds routes below `/__admin`; each route's schemas say what it takes. */
export type Resource = (routes: Parameters<FastifyPluginAsyncTypebox>[0], context: AdminContext) => void

/** What a query or a body may contain: some of these. */
export function partial<Properties extends TProperties>(properties: Properties, options: ObjectOptions = {}) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false, ...options })
}
