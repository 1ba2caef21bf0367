import {
  type Contract,
  GATEWAY_STATUSES,
  isGatewayStatus,
  statusesOf,
  successStatusOf,
} from '../../contract/contract.js'
import { type Answer, type FaultAnswer, NO_EFFECTS, type ScriptedAnswer } from '../../journal/exchange.js'
import { checkResponseBody } from '../../judge/deviations.js'
import { NO_VIOLATIONS, type Violation } from '../../judge/violation.js'
import type { RuleMatch } from '../../sandbox/scenarios/player.js'
import { Problem } from '../problems.js'
import { authenticate } from './authenticate.js'
import type { Call, Decide, Middleware } from './call.js'
import { allViolations, collectViolations, invalidRequestAnswer } from './collect-violations.js'
import { sampleAnswer } from './declared-answer.js'
import { operate, withFormMistake } from './operate.js'

/** @throws {Problem} for a preference that names an unknown scenario or an undeclared status */
export async function answer(call: Call): Promise<Answer> {
  const { request, sandbox, contract } = call
  const { preferences } = request
  if (preferences === null && sandbox.player.isIdle) return call.answerNaturally(call)
  const forced = await forcedAnswer(call)
  if (forced !== undefined) return forced
  const match = sandbox.player.matchRule(contract.id, request, preferences?.scenario)
  return match === undefined ? call.answerNaturally(call) : playRule(call, match)
}

export async function answerNaturally(call: Call): Promise<Answer> {
  const result = authenticate(call)
  if (result.kind !== 'caller') return result
  const collected = await collectViolations(call, result.violations)
  return invalidRequestAnswer(call, collected) ?? operate(call, result.user, allViolations(collected))
}

/** Marks as expected the violations that would lead to `status`. Skips a request with the preference `scenario`. */
async function judge(call: Call, status: number | undefined): Promise<Pick<Answer, 'violations' | 'isUnjudged'>> {
  if (call.request.preferences?.scenario !== undefined) return UNJUDGED
  const { kind, violations: ofToken } = authenticate(call)
  const violations = kind === 'caller' ? await violationsOf(call, ofToken) : ofToken
  const marked = violations.map((one) =>
    one.refusedWith === undefined ? one : { ...one, expected: one.refusedWith === status, refusedWith: undefined },
  )
  return { violations: marked, isUnjudged: false }
}

const UNJUDGED = { violations: NO_VIOLATIONS, isUnjudged: true } as const

async function violationsOf(call: Call, tokenViolations: readonly Violation[]): Promise<readonly Violation[]> {
  const collected = await collectViolations(call, tokenViolations)
  const invalid = invalidRequestAnswer(call, collected)
  return invalid?.violations ?? withFormMistake(call, allViolations(collected))
}

async function forcedAnswer(call: Call): Promise<Answer | undefined> {
  const { request, sandbox, contract } = call
  const { code, fault, scenario, appliedHeader, sentIn = {} } = request.preferences ?? {}
  if (scenario !== undefined) requireScenario(call, scenario, sentIn.scenario)
  if (code !== undefined) requireDeclaredStatus(contract, code, sentIn.code)
  const preferred = { ...FORCED, cause: 'prefer', why: `requested by ${appliedHeader}` }
  if (fault !== undefined) return { ...preferred, kind: 'fault', fault }
  if (code !== undefined) return { ...preferred, ...sampleAnswer(call, code) }
  // Rules for the next calls come before active outcomes.
  const nextCall = scenario === undefined ? sandbox.player.matchNextCall(contract.id, request) : undefined
  if (nextCall !== undefined) return playRule(call, nextCall)
  const match = sandbox.player.matchOutcome(contract.id, scenario)
  if (match === undefined) return undefined
  match.consume()
  const { cause, rule } = match
  const appliedRule = { rule, delay: 0, dribble: undefined, headers: {} }
  const judged = await judge(call, rule.answer.status)
  return {
    ...FORCED,
    ...sampleAnswer(call, rule.answer.status),
    ...judged,
    cause,
    why: `forced by ${cause}`,
    appliedRule,
  }
}

const FORCED = {
  kind: 'scripted',
  step: 'forceOutcome',
  ...UNJUDGED,
  ...NO_EFFECTS,
  deviations: [],
  offContract: false,
} as const

async function playRule(call: Call, match: RuleMatch): Promise<Answer> {
  const { rule, cause, delay } = match
  const { status, fault, body, effect, dribble, headers = {} } = rule.answer
  const appliedRule = { rule, delay, dribble, headers }
  const hasAnswer = status !== undefined || fault !== undefined || body !== undefined
  // Before the first await: otherwise, simultaneous calls would use a rule too often.
  const rollback = match.consume()
  if (hasAnswer && effect !== 'after') {
    const scripted = scriptedAnswer(call, match)
    const judged = await judge(call, 'status' in scripted ? scripted.status : undefined)
    return { ...scripted, ...judged, appliedRule }
  }
  const natural = await call.answerNaturally(call).catch((error: unknown) => {
    rollback()
    throw error
  })
  if (effect !== 'after') return { ...natural, cause, appliedRule }
  if ('status' in natural && natural.status >= 400) {
    rollback()
    return natural
  }
  const { step, violations, isUnjudged = false, effects, mails } = natural
  return { ...scriptedAnswer(call, match), step, violations, isUnjudged, effects, mails, appliedRule }
}

function scriptedAnswer(call: Call, { rule, cause }: RuleMatch): ScriptedAnswer | FaultAnswer {
  const { contract } = call
  const { status = successStatusOf(contract), body, fault } = rule.answer
  const scripted = { ...FORCED, step: 'playScenario', cause, why: `answered by ${cause}` }
  if (fault !== undefined) return { ...scripted, kind: 'fault', fault }
  const offContract = rule.offContract === true
  const sample = sampleAnswer(call, status)
  // A rule's body is JSON by default.
  const { 'content-type': _, ...headers } = sample.headers
  const answer = body === undefined ? sample : { ...sample, body, headers }
  const isGateway = isGatewayStatus(contract, status)
  const deviations = isGateway ? [] : checkResponseBody(contract, status, answer.body, offContract)
  return { ...scripted, ...answer, deviations, offContract }
}

function requireDeclaredStatus(contract: Contract, code: number, where = ''): void {
  if (code in contract.responses || isGatewayStatus(contract, code)) return
  const declared = statusesOf(contract)
  const message = `${contract.id} does not declare ${code}. It declares ${declared.join(', ')}. Request one of these, or a gateway status: ${GATEWAY_STATUSES.join(', ')}.`
  const fix = `Request one of ${[...new Set([...declared, ...GATEWAY_STATUSES])].join(', ')}.`
  const extra = { operation: contract.id, declared, gateway: GATEWAY_STATUSES }
  throw new Problem('undeclared-outcome', message, extra).withViolation(where, fix)
}

function requireScenario({ sandbox: { library } }: Call, name: string, where = ''): void {
  if (library.find(name) !== undefined) return
  const scenarios = library.all().map((scenario) => scenario.name)
  const fix = 'Choose one of the scenarios that GET /__admin/scenarios lists.'
  throw new Problem('unknown-scenario', library.describeUnknown(name), { scenarios }).withViolation(where, fix)
}

export class Middlewares {
  /** The innermost first. */
  #middlewares: ReadonlyMap<Middleware, 'always' | 'onDemand'> = new Map()

  get preferences(): readonly string[] {
    return [...this.#middlewares.keys()].flatMap(({ preferences = [] }) => preferences)
  }

  /** Returns a function that removes the middleware. */
  add(middleware: Middleware, when: 'always' | 'onDemand' = 'always'): () => void {
    this.#middlewares = new Map([[middleware, when], ...this.#middlewares])
    return () => {
      this.#middlewares = new Map([...this.#middlewares].filter(([one]) => one !== middleware))
    }
  }

  run(call: Call, decide: Decide): Promise<Answer> {
    const isPlain = call.request.preferences === null && call.sandbox.player.isIdle
    let outermost = decide
    for (const [middleware, when] of this.#middlewares) {
      const next = outermost
      if (when === 'always' || !isPlain) outermost = (outerCall) => middleware.answer(outerCall, next)
    }
    return outermost(call)
  }
}
