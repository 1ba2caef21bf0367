import { statusesOf } from '../../../../schemas/contract.js'
import { didYouMean, quote } from '../../../text/wording.js'
import type { Exchange } from '../../../world/journal/exchange.js'
import { Problem } from '../../problems.js'
import { type Outgoing, sampleAnswer } from '../deliver.js'
import { readPreferences } from '../preferences.js'
import type { Step } from './step.js'

/** Answers with the outcome that is asked for, by preference or by an outcome that is on as a scenario. */
export const forceOutcome: Step = ({ request, exchange }) => {
  const query = request.query as Record<string, unknown>
  if (request.headers.prefer !== undefined || request.raw.url?.includes('__')) {
    exchange.preferences = readPreferences(request.headers.prefer, query)
  }
  const { preferences, world } = exchange
  if (preferences === null) return world.playback.quiet ? undefined : forcedByScenario(exchange)
  exchange.delay = preferences.delay ?? 0
  const { scenario } = preferences
  if (scenario === undefined || !world.library.needsFilesFor(scenario)) return forced(exchange)
  return world.library.load().then(() => forced(exchange))
}

function forced(exchange: Exchange): Outgoing | undefined {
  const { code, fault, scenario } = exchange.preferences ?? {}
  if (scenario !== undefined) requireScenario(exchange, scenario)
  if (code !== undefined) requireDeclared(exchange, code)
  if (code === undefined && fault === undefined) return forcedByScenario(exchange)
  exchange.cause = 'prefer'
  exchange.why = `asked for by ${exchange.preferences?.applied}`
  return { ...sampleAnswer(exchange, code ?? 200), fault }
}

function forcedByScenario(exchange: Exchange): Outgoing | undefined {
  const { world, contract, preferences } = exchange
  if (contract === null) return undefined
  const plan = world.playback.forced(contract.id, preferences?.scenario)
  if (plan === undefined) return undefined
  exchange.cause = plan.cause
  exchange.why = `forced by ${plan.cause}`
  return sampleAnswer(exchange, plan.answer.status ?? 200)
}

function requireDeclared({ contract }: Exchange, code: number): void {
  if (contract === null || code in contract.responses) return
  const declared = statusesOf(contract)
  throw new Problem(
    'undeclared-outcome',
    `${contract.id} does not declare ${code}. It declares ${declared.join(', ')}: ask for one of these.`,
    { operation: contract.id, declared },
  )
}

function requireScenario({ world }: Exchange, name: string): void {
  if (world.library.find(name) !== undefined) return
  const known = world.library.names()
  throw new Problem(
    'unknown-scenario',
    `There is no scenario ${quote(name)}.${didYouMean(name, known)} GET /__admin/scenarios lists what there is.`,
    { scenarios: known },
  )
}
