import type { User } from '../../../api/records.js'
import {
  type Contract,
  GATEWAY_STATUSES,
  isGatewayStatus,
  statusesOf,
  successStatusOf,
} from '../../contract/contract.js'
import { type Answer, NEW_ANSWER } from '../../journal/exchange.js'
import { checkBody } from '../../judge/deviations.js'
import type { Plan } from '../../sandbox/scenarios/player.js'
import { Problem } from '../problems.js'
import { authenticate, identifyCaller } from './authenticate.js'
import type { Call } from './call.js'
import { allOf, answerInvalid, collectViolations } from './collect-violations.js'
import { sampleAnswer } from './declared-answer.js'
import { operate } from './operate.js'

/**
 * Decides what a call is answered with: a forced outcome, the answer of a scenario, or what the service says.
 * @throws {Problem} if the call asks the mock for something that does not exist
 */
export async function answer(call: Call): Promise<Answer> {
  const { request, sandbox, contract } = call
  const { preferences } = request
  if (preferences === null && sandbox.playback.isIdle) return call.serve(call)
  const forced = forcedAnswer(call)
  if (forced !== undefined) return forced
  const rule = sandbox.playback.choose(contract.id, request, preferences?.scenario)
  if (rule === undefined) return call.serve(call)
  const { status, fault, body, effect } = rule.answer
  const replaces = status !== undefined || fault !== undefined || body !== undefined
  const isAfter = effect === 'after'
  // Before anything takes time, so that of calls at once no more are answered by the rule than it allows.
  const takeBack = rule.spend()
  const first = replaces && !isAfter ? scriptedAnswer(call, rule) : await serveOr(call, takeBack)
  // An operation that answered with an error has not taken place: the rule is not spent.
  if (isAfter && first.status >= 400) {
    takeBack()
    return first
  }
  const { step, violations, effects, mails } = first
  const last = isAfter ? { ...scriptedAnswer(call, rule), step, violations, effects, mails } : first
  const { dribble } = rule.answer
  return {
    ...last,
    cause: rule.cause,
    rule: rule.rule,
    delay: rule.delay,
    dribble,
    headers: { ...last.headers, ...rule.answer.headers },
  }
}

async function serveOr(call: Call, takeBack: () => void): Promise<Answer> {
  try {
    return await call.serve(call)
  } catch (error) {
    takeBack()
    throw error
  }
}

/** The service: 401, 403, the `invalid` status, then the operation (I-03). */
export async function serve(call: Call): Promise<Answer> {
  const caller = identifyCaller(call)
  const unauthenticated = authenticate(call, caller)
  if (unauthenticated !== undefined) return unauthenticated
  const found = collectViolations(call, caller.violations)
  return answerInvalid(call, found) ?? operate(call, caller.user as User, allOf(found))
}

/**
 * The outcome requested by a preference, or by an outcome that is on as a scenario. Its request is not judged.
 * @throws {Problem} for an unknown scenario, and for a status that the operation does not declare
 */
function forcedAnswer(call: Call): Answer | undefined {
  const { request, sandbox, contract } = call
  const { code, fault, scenario, applied, places = {} } = request.preferences ?? {}
  if (scenario !== undefined) requireScenario(call, scenario, places.scenario)
  if (code !== undefined) requireDeclared(contract, code, places.code)
  if (code !== undefined || fault !== undefined) {
    const why = `asked for by ${applied}`
    return { ...NEW_ANSWER, ...sampleAnswer(call, code), fault, step: 'forceOutcome', cause: 'prefer', why }
  }
  const forced = sandbox.playback.forced(contract.id, scenario)
  if (forced === undefined) return undefined
  forced.spend()
  const { cause, rule, answer } = forced
  const why = `forced by ${cause}`
  return { ...NEW_ANSWER, ...sampleAnswer(call, answer.status), step: 'forceOutcome', cause, rule, why }
}

function requireDeclared(contract: Contract, code: number, where = ''): void {
  if (code in contract.responses || isGatewayStatus(contract, code)) return
  const declared = statusesOf(contract)
  throw new Problem(
    'undeclared-outcome',
    `${contract.id} does not declare ${code}. It declares ${declared.join(', ')}. Request one of these, or a gateway status: ${GATEWAY_STATUSES.join(', ')}.`,
    { operation: contract.id, declared, gateway: GATEWAY_STATUSES },
  ).at(where, `Request one of ${[...new Set([...declared, ...GATEWAY_STATUSES])].join(', ')}.`)
}

function requireScenario({ sandbox: { library } }: Call, name: string, where = ''): void {
  if (library.find(name) !== undefined) return
  const scenarios = library.all().map((scenario) => scenario.name)
  throw new Problem('unknown-scenario', library.describeUnknown(name), { scenarios }).at(
    where,
    'Name one of the scenarios that GET /__admin/scenarios lists.',
  )
}

function scriptedAnswer(call: Call, { answer, cause, offContract }: Plan): Answer {
  const { contract } = call
  const { status = successStatusOf(contract), body, fault } = answer
  const sample = sampleAnswer(call, status)
  // A rule's body is JSON, unless the rule names another type.
  const { 'content-type': _, ...others } = sample.headers ?? {}
  const made = body === undefined ? sample : { ...sample, body, headers: others }
  const deviations = isGatewayStatus(contract, status) ? [] : checkBody(contract, status, made.body, offContract)
  const why = `answered by ${cause}`
  return { ...NEW_ANSWER, ...made, fault, step: 'playScenario', cause, why, deviations, offContract }
}
