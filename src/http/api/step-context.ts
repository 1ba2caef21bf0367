import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Form } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import type { Readings } from '../../../schemas/readings.js'
import type { Mutant } from '../../coverage/mutants/mutant.js'
import type { Handler, Operation } from '../../operations/handler.js'
import type { Violation } from '../../validation/violation.js'
import type { Cause, Exchange, Sent } from '../../world/journal/exchange.js'
import type { Plan } from '../../world/scenarios/playback.js'
import type { MatchedRequest } from '../../world/scenarios/scenario.js'
import type { World } from '../../world/world.js'
import type { Chosen } from '../sandbox-ways.js'
import type { Outgoing } from './outgoing.js'
import type { Preferences } from './preferences.js'

/** A request whose world is known, and which the journal has taken in. */
export class Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly world: World
  readonly exchange: Exchange
  /** What is being sent, for the journal; null before that, and if the exchange is closed elsewhere. */
  sending: Pick<Sent, 'headers'> | null = null

  constructor({ world, by }: Chosen, contract: Contract | null, request: FastifyRequest, reply: FastifyReply) {
    const { method, originalUrl: url, headers } = request
    this.request = request
    this.reply = reply
    this.world = world
    this.exchange = world.journal.open({ contract, method, url, headers, sandboxBy: by })
  }
}

/** A call of an operation: what the steps of its journey work on, and what one leaves for the next. */
export class StepContext extends Arrival {
  /** As the readings have it. */
  readonly contract: Contract
  /** Kept as they were: an edit while the request is on its way changes nothing of its answer. */
  readonly readings: Readings
  readonly handler: Handler<Contract>

  preferences: Preferences | null = null
  /** What makes the answer untrue. */
  mutant: Mutant | null = null
  user: User | null = null
  /** What the body was as a form, where none is due. */
  formMeant: Form | null = null
  /** The fields that were sent empty, and so are as if they were not (I-20). */
  readonly leftEmpty = new Set<string>()
  /** Why the body could not be read; it is reported with all other violations. */
  unreadable: Violation | null = null
  /** Whether the operation has taken place. */
  operated = false
  /** The scenario rule that the request met and whose answer is yet to come. */
  plan: Plan | null = null
  /** How the answer comes about where no rule has to do with it. */
  causeWithoutRule: Cause = 'natural'
  /** Whether the rules of scenarios have been looked at. */
  played = false
  /** What was drawn for the request, by the rules; undefined until one of them is looked at. */
  drawn: MatchedRequest['drawn'] = undefined
  /** Headers that a rule adds to the operation's own answer. */
  extraHeaders: Readonly<Record<string, string>> | undefined = undefined
  /** The answer, once one is found. */
  outgoing: Outgoing | null = null

  constructor(chosen: Chosen, contract: Contract, operation: Operation, request: FastifyRequest, reply: FastifyReply) {
    super(chosen, contract, request, reply)
    this.contract = contract
    this.readings = chosen.world.settings.readings
    this.handler = operation.handler
  }

  /** Records in the journal what a request was about if it is answered before it is read. */
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
