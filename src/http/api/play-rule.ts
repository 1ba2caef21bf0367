import { bodySchema } from '../../../schemas/bodies.js'
import { isGatewayStatus, successStatusOf } from '../../../schemas/contract.js'
import { checkBody } from '../../validation/deviations.js'
import type { Plan } from '../../world/scenarios/playback.js'
import { sentToken } from './authenticate.js'
import { type Answer, type Call, NO_VIOLATIONS } from './call.js'
import { sampleAnswer } from './declared-answer.js'

/** The first rule that matches; it is spent when its answer is used. */
export function chooseRule(call: Call): Plan | undefined {
  const { world, contract, preferences, query, params: path, headers, form } = call
  const { playback } = world
  if (playback.quiet && preferences?.scenario === undefined) return undefined
  const request = { query, path, headers, body: form ?? {}, token: sentToken(call).token }
  return playback.choose(contract.id, request, preferences?.scenario)
}

/** Undefined if the rule only delays, or waits for the operation. */
export function playRule(call: Call, rule: Plan): Answer | undefined {
  return rule.answer.effect === 'after' || onlyDelays(rule) ? undefined : scriptedAnswer(call, rule)
}

/**
 * With `effect: after`, replaces the operation's answer; if the operation refused, its answer stays and the rule is
 * not spent.
 */
export function applyRule(call: Call, rule: Plan, given: Answer): Answer {
  const { effect, headers } = rule.answer
  if (effect === 'after' && given.status >= 400) return given
  rule.spend()
  const { violations } = given
  const answer = effect === 'after' ? { ...scriptedAnswer(call, rule), step: given.step, violations } : given
  const { cause } = rule
  return { ...answer, cause, delay: rule.delay, headers: { ...answer.headers, ...headers } }
}

function onlyDelays({ answer: { status, fault, body } }: Plan): boolean {
  return status === undefined && fault === undefined && body === undefined
}

function scriptedAnswer(call: Call, { answer, cause, offContract }: Plan): Answer {
  const { contract } = call
  const { status = successStatusOf(contract), body, fault } = answer
  const sample = sampleAnswer(call, status)
  // A rule's body is JSON, unless the rule names another type.
  const { 'content-type': _, ...others } = sample.headers ?? {}
  const made = body === undefined ? sample : { ...sample, body, headers: others }
  const deviations = isGatewayStatus(contract, status)
    ? []
    : checkBody(contract, status, bodySchema(contract, status), made.body, offContract)
  const why = `answered by ${cause}`
  return { ...made, fault, step: 'playScenario', cause, why, violations: NO_VIOLATIONS, deviations, offContract }
}
