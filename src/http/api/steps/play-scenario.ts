import type { Plan } from '../../../world/scenarios/playback.js'
import { sampleAnswer } from '../answer.js'
import { unspend } from '../deliver.js'
import type { Outgoing } from '../outgoing.js'
import type { Step, StepContext } from '../step-context.js'
import { tokenOf } from './authenticate.js'

/** The first rule that the request meets answers, delays, or waits until the operation has taken place. */
export const playScenario: Step = (context) => {
  const { world, contract, exchange, preferences } = context
  if (world.playback.quiet && preferences?.scenario === undefined) return undefined
  const { query, params: path, headers, form } = exchange
  const request = { query, path, headers, body: form ?? {}, token: tokenOf(context).token }
  const plan = world.playback.meet(contract.id, request, preferences?.scenario)
  if (plan === undefined) return undefined
  exchange.delay = Math.max(exchange.delay, plan.delay)
  exchange.cause = plan.cause
  if (plan.answer.effect === 'after') {
    context.plan = plan
    return undefined
  }
  return answerOf(context, plan)
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
    unspend(context)
    return answer
  }
  return answerOf(context, plan) ?? answer
}
