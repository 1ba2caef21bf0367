import { statusesOf } from '../../../../schemas/contract.js'
import { GATEWAY_STATUSES, isGatewayStatus } from '../../../../schemas/gateway.js'
import { didYouMean, quote } from '../../../text/wording.js'
import { Problem } from '../../problems.js'
import { findMutant, isMutated } from '../altered.js'
import { sampleAnswer } from '../answer.js'
import type { Outgoing } from '../outgoing.js'
import { readPreferences } from '../preferences.js'
import type { Step, StepContext } from '../step-context.js'

/** Answers with the outcome that is asked for, by preference or by an outcome that is on as a scenario. */
export const forceOutcome: Step = (context) => {
  const { request, world } = context
  const query = request.query as Record<string, unknown>
  context.preferences = readPreferences(request.headers.prefer, query)
  const { preferences } = context
  context.exchange.delay = preferences?.delay ?? 0
  context.exchange.expected = preferences?.expect ?? null
  const scenario = preferences?.scenario
  const loads = [
    scenario !== undefined && world.library.needsFilesFor(scenario) ? world.library.load() : [],
    isMutated(context) ? findMutant(context) : [],
  ].flat()
  return loads.length === 0 ? forced(context) : Promise.all(loads).then(() => forced(context))
}

function forced(context: StepContext): Outgoing | undefined {
  const { code, fault, scenario, applied } = context.preferences ?? {}
  if (scenario !== undefined) requireScenario(context, scenario)
  if (code !== undefined) requireDeclared(context, code)
  if (code === undefined && fault === undefined) return forcedByScenario(context)
  context.noteUnread()
  context.exchange.cause = 'prefer'
  context.exchange.why = `asked for by ${applied}`
  return { ...sampleAnswer(context, code), fault }
}

function forcedByScenario(context: StepContext): Outgoing | undefined {
  const { world, contract, exchange, preferences } = context
  if (world.playback.quiet && preferences?.scenario === undefined) return undefined
  const plan = world.playback.forced(contract.id, preferences?.scenario)
  if (plan === undefined) return undefined
  context.noteUnread()
  exchange.cause = plan.cause
  exchange.why = `forced by ${plan.cause}`
  return sampleAnswer(context, plan.answer.status)
}

function requireDeclared({ contract }: StepContext, code: number): void {
  if (code in contract.responses || isGatewayStatus(contract, code)) return
  const declared = statusesOf(contract)
  throw new Problem(
    'undeclared-outcome',
    `${contract.id} does not declare ${code}. It declares ${declared.join(', ')}. Request one of these, or a gateway status: ${GATEWAY_STATUSES.join(', ')}.`,
    { operation: contract.id, declared, gateway: GATEWAY_STATUSES },
  )
}

function requireScenario({ world }: StepContext, name: string): void {
  if (world.library.find(name) !== undefined) return
  const known = world.library.names()
  throw new Problem(
    'unknown-scenario',
    `There is no scenario ${quote(name)}.${didYouMean(name, known)} GET /__admin/scenarios lists them.`,
    { scenarios: known },
  )
}
