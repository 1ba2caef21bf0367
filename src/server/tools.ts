import type { FastifyInstance } from 'fastify'
import type { Contract } from '../engine/contract/contract.js'
import type { Scenario } from '../engine/sandbox/scenarios/scenario.js'
import { type CoverageOptions, coverage } from '../tools/coverage/plugin.js'
import { dashboard } from '../tools/dashboard/plugin.js'
import { forward } from '../tools/forward/plugin.js'
import type { Timeouts } from '../tools/http/failures.js'
import { type MutateOptions, mutate } from '../tools/mutate/plugin.js'
import { findMutantScenario } from '../tools/mutate/scenario.js'
import { openapi } from '../tools/openapi/plugin.js'
import type { Settings } from './settings.js'

export interface ToolParts {
  /** For a measured run of `mutate`. */
  readonly run?: MutateOptions['run']
  /** For the report of a run. */
  readonly onUnmet?: CoverageOptions['onUnmet']
  /** How long to wait for a provider. */
  readonly timeouts?: Timeouts | undefined
}

/** Registers the tools that stand on the mock: to do without one, delete its folder in `tools/` and its lines here. */
export function registerTools(
  app: FastifyInstance,
  settings: () => Settings,
  { run, onUnmet, timeouts }: ToolParts,
): void {
  // Outermost: it looks at the answer that leaves.
  app.register(coverage, { onUnmet })
  app.register(openapi)
  app.register(dashboard)
  app.register(mutate, { run })
  app.register(forward, { settings, timeouts })
}

/** Scenarios of tools, which no list shows. */
export function findToolScenario(name: string, contracts: readonly Contract[]): Scenario | undefined {
  return findMutantScenario(name, contracts)
}
