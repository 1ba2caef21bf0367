import type { Exchange } from '../../../world/journal/exchange.js'
import type { Plan } from '../../../world/scenarios/playback.js'
import { giveBack, type Outgoing, sampleAnswer } from '../deliver.js'
import { tokenOf } from './authenticate.js'
import type { Step } from './step.js'

/** The first rule that the request meets answers, delays, or waits until the operation has taken place. */
export const playScenario: Step = ({ exchange, contract }) => {
  const { world, preferences } = exchange
  if (world.playback.quiet && preferences?.scenario === undefined) return undefined
  const { query, params: path, headers, form } = exchange
  const request = { query, path, headers, body: form ?? {}, token: tokenOf(exchange).token }
  const plan = world.playback.meet(contract.id, request, preferences?.scenario)
  if (plan === undefined) return undefined
  exchange.delay = Math.max(exchange.delay, plan.delay)
  exchange.cause = plan.cause
  if (plan.answer.effect === 'after') {
    exchange.plan = plan
    return undefined
  }
  return answerOf(exchange, plan)
}

/** What a rule answers with; undefined where it only delays. */
function answerOf(exchange: Exchange, plan: Plan): Outgoing | undefined {
  const { status, body, headers, fault } = plan.answer
  if (status === undefined && fault === undefined && body === undefined) {
    exchange.extraHeaders = headers
    return undefined
  }
  exchange.why = `answered by ${plan.cause}`
  const outgoing = sampleAnswer(exchange, status ?? 200)
  return { ...outgoing, ...(body !== undefined && { body }), headers, fault, offContract: plan.offContract }
}

/**
 * After the operation: its answer, or what a rule with `effect: after` puts in its place. An operation that refused has
 * not taken place: its own answer stands, and the rule is not spent.
 */
export function afterwards(exchange: Exchange, answer: Outgoing): Outgoing {
  const { plan } = exchange
  if (plan === null) return answer
  if (answer.status >= 400) {
    giveBack(exchange)
    return answer
  }
  return answerOf(exchange, plan) ?? answer
}
