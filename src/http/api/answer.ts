import type { Mutant } from '../../coverage/mutants/mutant.js'
import { authenticate, identifyCaller } from './authenticate.js'
import type { Answer, Call } from './call.js'
import { forceOutcome } from './force-outcome.js'
import { judge, refuseInvalid } from './judge.js'
import { alter, requestedMutant } from './mutants.js'
import { operate } from './operate.js'
import { applyRule, chooseRule, playRule } from './play-rule.js'

/**
 * Decides what a call is answered with: the first step that has an answer gives it.
 * @throws {Problem} if the call asks the mock for something that does not exist
 */
export async function answer(call: Call): Promise<Answer> {
  if (isPlain(call)) return askService(call)
  const mutant = await requestedMutant(call)
  const found = (await forceOutcome(call)) ?? (await playScenarios(call, mutant))
  return mutant === undefined ? found : alter(call, mutant, found)
}

function isPlain({ preferences, world }: Call): boolean {
  return preferences === null && world.playback.quiet && world.settings.mutant === undefined
}

async function playScenarios(call: Call, mutant?: Mutant): Promise<Answer> {
  const rule = chooseRule(call)
  if (rule === undefined) return askService(call, mutant)
  return applyRule(call, rule, playRule(call, rule) ?? (await askService(call, mutant)))
}

async function askService(call: Call, mutant?: Mutant): Promise<Answer> {
  if (call.world.settings.provider === undefined) return serve(call, mutant)
  const { answer, failure } = await call.request.server.askProvider(call)
  if (answer !== undefined) return answer
  const found = await serve({ ...call, isFallback: true }, mutant)
  const headers = { ...found.headers, 'x-mock-cause': 'fallback' }
  return { ...found, headers, cause: 'fallback', providerFailure: failure }
}

/** The order of I-03: 401, 403, the `invalid` status, then the operation. */
async function serve(call: Call, mutant?: Mutant): Promise<Answer> {
  const caller = identifyCaller(call)
  const refused = authenticate(call, caller)
  if (refused !== undefined) return refused
  const judged = judge(call, caller)
  return refuseInvalid(call, judged) ?? operate(call, caller, judged, mutant)
}
