import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../../../../schemas/contract.js'
import type { Operation } from '../../../operations/handler.js'
import type { Exchange } from '../../../world/journal/exchange.js'
import type { Worlds } from '../../../world/worlds.js'
import type { Outgoing } from '../deliver.js'

/** What the server is started with, as far as a request's journey depends on it. */
export interface ServerSettings {
  readonly auth: 'known' | 'any'
  readonly strict: boolean
  /** Bytes. */
  readonly bodyLimit: number
}

/** What each step of a request's journey is given. */
export interface StepContext {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly exchange: Exchange
  readonly operation: Operation
  readonly contract: Contract
  readonly worlds: Worlds
  readonly settings: ServerSettings
}

/** One step: the answer that ends the journey there, or undefined to go on. */
export type Step = (stop: StepContext) => Outgoing | undefined | Promise<Outgoing | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | null
  }
}
