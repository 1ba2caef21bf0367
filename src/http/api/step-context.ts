import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import type { Readings } from '../../../schemas/readings.js'
import type { Handler, Operation } from '../../operations/handler.js'
import type { Violation } from '../../validation/violation.js'
import type { Cause, Exchange } from '../../world/journal/exchange.js'
import type { Plan } from '../../world/scenarios/playback.js'
import type { MatchedRequest } from '../../world/scenarios/scenario.js'
import type { World } from '../../world/world.js'
import { giveBack } from '../body-buffers.js'
import type { PassingBody } from './forward/passing-body.js'
import type { Outgoing } from './outgoing.js'
import type { Preferences } from './preferences.js'

/** A request whose world is known, and which the journal has taken in. */
export interface Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly world: World
  readonly exchange: Exchange
}

/** What the steps of a request's journey work on, and what one leaves for the next. */
export class StepContext implements Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly world: World
  readonly exchange: Exchange
  /** As the readings have it. */
  readonly contract: Contract
  /** As it is written. */
  readonly written: Contract
  /** Kept as they were: an edit while the request is on its way changes nothing of its answer. */
  readonly readings: Readings
  readonly handler: Handler<Contract>

  preferences: Preferences | null = null
  user: User | null = null
  /** The body that the form's files are views of; null where none was read, and once it is let go. */
  bytes: Buffer | null = null
  /** Why the body could not be read as a form; it is reported with all other violations. */
  unreadable: Violation | null = null
  /** Whether the operation has taken place. */
  operated = false
  /** The scenario rule that the request met and whose answer is yet to come. */
  plan: Plan | null = null
  /** How the answer comes about where no rule has to do with it. */
  unruled: Cause = 'natural'
  /** The body, where it was read before it is forwarded. */
  ahead: PassingBody | null = null
  /** Whether the rules of scenarios have been looked at. */
  played = false
  /** What was drawn for the request, by the rules; undefined until one of them is looked at. */
  drawn: MatchedRequest['drawn'] = undefined
  /** Headers that a rule adds to the operation's own answer. */
  extraHeaders: Readonly<Record<string, string>> | undefined = undefined

  constructor({ request, reply, world, exchange }: Arrival, contract: Contract, operation: Operation) {
    this.request = request
    this.reply = reply
    this.world = world
    this.exchange = exchange
    this.contract = contract
    this.readings = world.settings.readings
    this.written = operation.contract
    this.handler = operation.handler
  }

  /** Lets go of the body: when the answer is known, nobody looks at the files any more. */
  releaseBody(): void {
    if (this.bytes !== null) giveBack(this.bytes)
    this.bytes = null
  }

  /** Has the journal tell what a request was about that is answered before anybody reads it. */
  noteUnread(): void {
    this.exchange.query = this.request.query as Record<string, unknown>
    this.exchange.params = this.request.params as Record<string, string>
  }
}

/** One step: the answer that ends the journey there, or undefined to go on. */
export type Step = (context: StepContext) => Outgoing | undefined | Promise<Outgoing | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the journal has taken the request in. */
    arrival: Arrival | StepContext | null
  }
}
