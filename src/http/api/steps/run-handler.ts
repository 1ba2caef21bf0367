import { type Contract, successStatusOf } from '../../../../schemas/contract.js'
import type { User } from '../../../../schemas/fixtures.js'
import type { Readings } from '../../../../schemas/readings.js'
import type { Mutant } from '../../../coverage/mutants/mutant.js'
import { type Call, type DeclaredReply, reply } from '../../../operations/handler.js'
import { violationOf } from '../../../validation/violation.js'
import type { World } from '../../../world/world.js'
import { baseUrlOf } from '../../base-url.js'
import { declaredAnswer } from '../answer.js'
import type { Outgoing } from '../outgoing.js'
import type { Step, StepContext } from '../step-context.js'
import { playAfterwards } from './play-scenario.js'

/** The operation takes place, and what it changed is stored before its answer leaves. */
export const runHandler: Step = (context) => {
  if (context.mutant?.effect === 'none') return rehearse(context, context.mutant)
  const declared = context.handler(new ContextCall(context), reply)
  return declared instanceof Promise ? declared.then((later) => stored(context, later)) : stored(context, declared)
}

/** Where a mutant keeps the operation from taking place, what it would answer is found out in a copy of the world. */
async function rehearse(context: StepContext, { status, query }: Mutant): Promise<Outgoing> {
  const call = new ContextCall(context, context.world.rehearsal(), query)
  const declared = await context.handler(call, reply)
  if (statusOf(context, declared) !== status)
    return stored(context, await context.handler(new ContextCall(context), reply))
  context.operated = true
  return answerWith(context, declared)
}

/** A request as a handler sees it; a class, since each object written out with a getter gets a shape of its own. */
class ContextCall implements Call<Contract> {
  readonly params: Call<Contract>['params']
  readonly query: Call<Contract>['query']
  readonly form: Call<Contract>['form']
  readonly user: User
  readonly world: World
  readonly readings: Readings
  readonly #context: StepContext

  constructor(context: StepContext, world = context.world, query: Mutant['query'] = (sent) => sent) {
    const { exchange, user, readings } = context
    this.params = exchange.params
    this.query = query(exchange.query)
    // Handlers have it as their contract types it.
    this.form = (exchange.form ?? NOTHING) as never
    this.user = user as User
    this.world = world
    this.readings = readings
    this.#context = context
  }

  get baseUrl(): string {
    return baseUrlOf(this.#context.request, this.world)
  }
}

const NOTHING = Object.freeze({})

function stored(context: StepContext, declared: DeclaredReply): Outgoing | Promise<Outgoing> {
  context.operated = true
  const { state } = context.world
  if (!state.unsaved) return answerWith(context, declared)
  return state.save().then(() => answerWith(context, declared))
}

/** Notes what a refusal says that the client did wrong. */
export function noteMistake(context: StepContext, { body, mistake }: DeclaredReply): void {
  if (mistake === undefined) return
  const { exchange, contract, leftEmpty } = context
  // What was sent empty was sent: that it does not count is a reading.
  const isEmpty = mistake.code === 'missing-parameter' && contract.atLeastOneOf?.some((name) => leftEmpty.has(name))
  const found = violationOf({ ...mistake, message: String(body) }, isEmpty ? ['I-20'] : mistake.cites)
  exchange.violations = [...exchange.violations, found]
}

/** What handlers call 200 is a success, whatever its status (I-01). */
function statusOf({ contract }: StepContext, { status }: DeclaredReply): number {
  return status === 200 ? successStatusOf(contract) : status
}

function answerWith(context: StepContext, declared: DeclaredReply): Outgoing {
  noteMistake(context, declared)
  const { extraHeaders: headers } = context
  const answer = declaredAnswer(context, statusOf(context, declared), declared.body)
  return playAfterwards(context, headers === undefined ? answer : { ...answer, headers })
}
