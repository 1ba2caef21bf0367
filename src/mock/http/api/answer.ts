import {
  type Contract,
  GATEWAY_STATUSES,
  isGatewayStatus,
  statusesOf,
  successStatusOf,
} from '../../../../schemas/contract.js'
import type { User } from '../../../../schemas/fixtures.js'
import type { Mutant } from '../../../tools/mutate/mutant.js'
import { applyMutant, requestedMutant } from '../../../tools/mutate/plugin.js'
import type { Plan } from '../../sandbox/scenarios/playback.js'
import { checkBody } from '../../validation/deviations.js'
import { Problem } from '../problems.js'
import { authenticate, identifyCaller, sentToken } from './authenticate.js'
import { type Answer, type Call, NO_VIOLATIONS } from './call.js'
import { collectViolations, refuseInvalid } from './collect-violations.js'
import { sampleAnswer } from './declared-answer.js'
import { operate } from './operate.js'

/**
 * Decides what a call is answered with: the first step that has an answer gives it.
 * @throws {Problem} if the call asks the mock for something that does not exist
 */
export async function answer(call: Call): Promise<Answer> {
  if (isPlain(call)) return askService(call)
  const mutant = await requestedMutant(call)
  const found = (await forceOutcome(call)) ?? (await playScenarios(call, mutant))
  return mutant === undefined ? found : applyMutant(call, mutant, found)
}

function isPlain({ preferences, sandbox }: Call): boolean {
  return preferences === null && sandbox.playback.isIdle && sandbox.settings.mutant === undefined
}

async function playScenarios(call: Call, mutant?: Mutant): Promise<Answer> {
  const { sandbox, contract, preferences, query, params: path, headers, form } = call
  const request = { query, path, headers, body: form ?? {}, token: sentToken(call).token }
  const rule = sandbox.playback.choose(contract.id, request, preferences?.scenario)
  if (rule === undefined) return askService(call, mutant)
  const { status, fault, body, effect } = rule.answer
  const replaces = status !== undefined || fault !== undefined || body !== undefined
  const isAfter = effect === 'after'
  const given = replaces && !isAfter ? scriptedAnswer(call, rule) : await askService(call, mutant)
  // An operation that refused has not taken place: the rule is not spent.
  if (isAfter && given.status >= 400) return given
  rule.spend()
  const { step, violations } = given
  const answer = isAfter ? { ...scriptedAnswer(call, rule), step, violations } : given
  return { ...answer, cause: rule.cause, delay: rule.delay, headers: { ...answer.headers, ...rule.answer.headers } }
}

async function askService(call: Call, mutant?: Mutant): Promise<Answer> {
  if (call.sandbox.settings.provider === undefined) return serve(call, mutant)
  const given = await call.request.server.askProvider(call)
  if (typeof given !== 'string') return given
  const found = await serve({ ...call, isFallback: true }, mutant)
  const headers = { ...found.headers, 'x-mock-cause': 'fallback' }
  return { ...found, headers, cause: 'fallback', providerFailure: given }
}

/** The order of I-03: 401, 403, the `invalid` status, then the operation. */
async function serve(call: Call, mutant?: Mutant): Promise<Answer> {
  const caller = identifyCaller(call)
  const refused = authenticate(call, caller)
  if (refused !== undefined) return refused
  const judged = collectViolations(call, caller.violations)
  return refuseInvalid(call, judged) ?? operate(call, caller.user as User, judged.all, mutant)
}

/**
 * The outcome requested by a preference, or by an outcome that is on as a scenario. Its request is not judged.
 * @throws {Problem} for an unknown scenario, and for a status that the operation does not declare
 */
async function forceOutcome(call: Call): Promise<Answer | undefined> {
  const { sandbox, contract, preferences } = call
  const { code, fault, scenario, applied } = preferences ?? {}
  if (scenario !== undefined) await requireScenario(call, scenario)
  if (code !== undefined) requireDeclared(contract, code)
  if (code !== undefined || fault !== undefined) {
    const why = `asked for by ${applied}`
    return { ...sampleAnswer(call, code), fault, step: 'forceOutcome', cause: 'prefer', why, violations: NO_VIOLATIONS }
  }
  const forced = sandbox.playback.forced(contract.id, scenario)
  if (forced === undefined) return undefined
  forced.spend()
  const { cause, answer } = forced
  const why = `forced by ${cause}`
  return { ...sampleAnswer(call, answer.status), step: 'forceOutcome', cause, why, violations: NO_VIOLATIONS }
}

function requireDeclared(contract: Contract, code: number): void {
  if (code in contract.responses || isGatewayStatus(contract, code)) return
  const declared = statusesOf(contract)
  throw new Problem(
    'undeclared-outcome',
    `${contract.id} does not declare ${code}. It declares ${declared.join(', ')}. Request one of these, or a gateway status: ${GATEWAY_STATUSES.join(', ')}.`,
    { operation: contract.id, declared, gateway: GATEWAY_STATUSES },
  )
}

async function requireScenario({ sandbox: { library } }: Call, name: string): Promise<void> {
  if ((await library.get(name)) !== undefined) return
  throw new Problem('unknown-scenario', library.unknown(name), { scenarios: library.names() })
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
  return { ...made, fault, step: 'playScenario', cause, why, violations: NO_VIOLATIONS, deviations, offContract }
}
