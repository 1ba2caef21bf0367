import type { Plan } from '../../../world/scenarios/playback.js'
import type { MatchedRequest } from '../../../world/scenarios/scenario.js'
import { sampleAnswer } from '../answer.js'
import { restoreRule } from '../deliver.js'
import type { Outgoing } from '../outgoing.js'
import type { Step, StepContext } from '../step-context.js'
import { tokenOf } from './authenticate.js'

/** The first rule that the request meets answers, delays, or waits until the operation has taken place. */
export const playScenario: Step = (context) => {
  const { world, contract, preferences } = context
  if (context.played || isQuiet(context)) return undefined
  context.played = true
  const plan = world.playback.takeFirstMatch(contract.id, matchedBy(context), preferences?.scenario)
  if (plan === undefined) return undefined
  follow(context, plan)
  if (plan.answer.effect === 'after') {
    context.plan = plan
    return undefined
  }
  return answerOf(context, plan)
}

/** A gateway stands before the service: it answers whoever calls, and reads no body. */
export const playGateway: Step = (context) => {
  const { world, contract, preferences } = context
  if (isQuiet(context)) return undefined
  context.noteUnread()
  const plan = world.playback.gateway(contract, matchedBy(context), preferences?.scenario)
  if (plan === undefined) return undefined
  follow(context, plan)
  return answerOf(context, plan)
}

function isQuiet({ world, preferences }: StepContext): boolean {
  return world.playback.quiet && preferences?.scenario === undefined
}

/** What rules look at, as far as it has been read. */
function matchedBy(context: StepContext): MatchedRequest {
  const { query, params: path, headers, form } = context.exchange
  context.drawn ??= new Map()
  return { query, path, headers, body: form ?? {}, token: tokenOf(context).token, drawn: context.drawn }
}

function follow({ exchange }: StepContext, plan: Plan): void {
  exchange.delay = Math.max(exchange.delay, plan.delay)
  exchange.cause = plan.cause
}

/** What a rule answers with; undefined where it only delays. */
function answerOf(context: StepContext, plan: Plan): Outgoing | undefined {
  const { status, body, headers, fault } = plan.answer
  if (status === undefined && fault === undefined && body === undefined) {
    context.extraHeaders = headers
    return undefined
  }
  context.exchange.why = `answered by ${plan.cause}`
  const sample = sampleAnswer(context, status)
  // A body of the rule's own is JSON, unless the rule names another type.
  const { 'content-type': _, ...others } = sample.headers ?? {}
  const answer = body === undefined ? sample : { ...sample, body, headers: others }
  return { ...answer, headers: { ...answer.headers, ...headers }, fault, offContract: plan.offContract }
}

/**
 * After the operation: its answer, or what a rule with `effect: after` puts in its place. An operation that refused has
 * not taken place: its own answer stands, and the rule is not spent.
 */
export function playAfterwards(context: StepContext, answer: Outgoing): Outgoing {
  const { plan } = context
  if (plan === null) return answer
  if (answer.status >= 400) {
    restoreRule(context)
    return answer
  }
  return answerOf(context, plan) ?? answer
}
