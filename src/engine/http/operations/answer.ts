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

/** @throws {Problem} if the call asks the mock for something that does not exist */
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
  const caller = authenticate(call)
  if (caller.kind === 'service') return caller
  const found = await collectViolations(call, caller.violations)
  return invalidRequestAnswer(call, found) ?? operate(call, caller.user, allViolations(found))
}

/** Marks violations as expected if they would lead to this status. A request that names a scenario is not judged. */
async function judge(call: Call, status: number | undefined): Promise<Pick<Answer, 'violations' | 'isUnjudged'>> {
  if (call.request.preferences?.scenario !== undefined) return UNJUDGED
  const caller = authenticate(call)
  const violations = caller.kind === 'service' ? caller.violations : await violationsOf(call, caller.violations)
  const marked = violations.map((one) =>
    one.refusedWith === undefined ? one : { ...one, expected: one.refusedWith === status, refusedWith: undefined },
  )
  return { violations: marked, isUnjudged: false }
}

const UNJUDGED = { violations: NO_VIOLATIONS, isUnjudged: true } as const

async function violationsOf(call: Call, ofToken: readonly Violation[]): Promise<readonly Violation[]> {
  const found = await collectViolations(call, ofToken)
  const invalid = invalidRequestAnswer(call, found)
  return invalid?.violations ?? withFormMistake(call, allViolations(found))
}

/** @throws {Problem} for an unknown scenario, and for a status that the operation does not declare */
async function forcedAnswer(call: Call): Promise<Answer | undefined> {
  const { request, sandbox, contract } = call
  const { code, fault, scenario, appliedHeader, sentIn = {} } = request.preferences ?? {}
  if (scenario !== undefined) requireScenario(call, scenario, sentIn.scenario)
  if (code !== undefined) requireDeclared(contract, code, sentIn.code)
  const preferred = { ...FORCED, cause: 'prefer', why: `asked for by ${appliedHeader}` }
  if (fault !== undefined) return { ...preferred, kind: 'fault', fault }
  if (code !== undefined) return { ...preferred, ...sampleAnswer(call, code) }
  // *Next calls* come before outcomes that are on.
  const next = scenario === undefined ? sandbox.player.matchNextCall(contract.id, request) : undefined
  if (next !== undefined) return playRule(call, next)
  const match = sandbox.player.matchOutcome(contract.id, scenario)
  if (match === undefined) return undefined
  match.consume()
  const { cause, rule } = match
  const playing = { rule, delay: 0, dribble: undefined, headers: {} }
  const judged = await judge(call, rule.answer.status)
  return { ...FORCED, ...sampleAnswer(call, rule.answer.status), ...judged, cause, why: `forced by ${cause}`, playing }
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
  const replaces = status !== undefined || fault !== undefined || body !== undefined
  const isAfter = effect === 'after'
  // Before anything waits, so that calls at once do not use a rule too often.
  const rollback = match.consume()
  const undo = (error: unknown) => {
    rollback()
    throw error
  }
  const first = replaces && !isAfter ? await judgedAnswer(call, match) : await call.answerNaturally(call).catch(undo)
  // The operation has failed: the rule is not used.
  if (isAfter && 'status' in first && first.status >= 400) {
    rollback()
    return first
  }
  const { step, violations, isUnjudged = false, effects, mails } = first
  const last = isAfter ? { ...scriptedAnswer(call, match), step, violations, isUnjudged, effects, mails } : first
  return { ...last, cause, playing: { rule, delay, dribble, headers } }
}

async function judgedAnswer(call: Call, match: RuleMatch): Promise<ScriptedAnswer | FaultAnswer> {
  const scripted = scriptedAnswer(call, match)
  return { ...scripted, ...(await judge(call, 'status' in scripted ? scripted.status : undefined)) }
}

function scriptedAnswer(call: Call, { rule, cause }: RuleMatch): ScriptedAnswer | FaultAnswer {
  const { contract } = call
  const { status = successStatusOf(contract), body, fault } = rule.answer
  const played = { ...FORCED, step: 'playScenario', cause, why: `answered by ${cause}` }
  if (fault !== undefined) return { ...played, kind: 'fault', fault }
  const offContract = rule.offContract === true
  const sample = sampleAnswer(call, status)
  // A rule's body is JSON by default.
  const { 'content-type': _, ...others } = sample.headers
  const made = body === undefined ? sample : { ...sample, body, headers: others }
  const deviations = isGatewayStatus(contract, status)
    ? []
    : checkResponseBody(contract, status, made.body, offContract)
  return { ...played, ...made, deviations, offContract }
}

function requireDeclared(contract: Contract, code: number, where = ''): void {
  if (code in contract.responses || isGatewayStatus(contract, code)) return
  const declared = statusesOf(contract)
  throw new Problem(
    'undeclared-outcome',
    `${contract.id} does not declare ${code}. It declares ${declared.join(', ')}. Request one of these, or a gateway status: ${GATEWAY_STATUSES.join(', ')}.`,
    { operation: contract.id, declared, gateway: GATEWAY_STATUSES },
  ).withViolation(where, `Request one of ${[...new Set([...declared, ...GATEWAY_STATUSES])].join(', ')}.`)
}

function requireScenario({ sandbox: { library } }: Call, name: string, where = ''): void {
  if (library.find(name) !== undefined) return
  const scenarios = library.all().map((scenario) => scenario.name)
  throw new Problem('unknown-scenario', library.describeUnknown(name), { scenarios }).withViolation(
    where,
    'Name one of the scenarios that GET /__admin/scenarios lists.',
  )
}

export class Middlewares {
  /** The newest first, which is innermost. */
  #all: ReadonlyMap<Middleware, 'always' | 'asked'> = new Map()

  get preferences(): readonly string[] {
    return [...this.#all.keys()].flatMap(({ preferences = [] }) => preferences)
  }

  add(middleware: Middleware, when: 'always' | 'asked' = 'always'): () => void {
    this.#all = new Map([[middleware, when], ...this.#all])
    return () => {
      this.#all = new Map([...this.#all].filter(([one]) => one !== middleware))
    }
  }

  around(call: Call, decide: Decide): Promise<Answer> {
    const isPlain = call.request.preferences === null && call.sandbox.player.isIdle
    let outermost = decide
    for (const [one, when] of this.#all) {
      const next = outermost
      if (when === 'always' || !isPlain) outermost = (inner) => one.answer(inner, next)
    }
    return outermost(call)
  }
}
