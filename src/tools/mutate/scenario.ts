import { quoteRule } from '../../engine/contract/cites.js'
import type { Contract } from '../../engine/contract/contract.js'
import type { Scenario } from '../../engine/sandbox/scenarios/scenario.js'
import { mutantsOf } from './mutants.js'

const PREFIX = 'mutant:'

/** The ids of mutants among the names of scenarios. */
export function mutantsAmong(scenarios: readonly string[]): string[] {
  return scenarios.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length))
}

/** The scenario that alters answers as a mutant does while it is on: `mutant:ID`. It has no rules, and no list shows it. */
export function findMutantScenario(name: string, contracts: readonly Contract[]): Scenario | undefined {
  const [id] = mutantsAmong([name])
  const contract = id === undefined ? undefined : contracts.find((one) => id.startsWith(`${one.id}:`))
  const mutant = contract && mutantsOf(contract).find((one) => one.id === id)
  if (mutant === undefined) return undefined
  const { outcome, place, operator, cites } = mutant
  const description = `Makes answers untrue: ${outcome}, ${place}, ${operator}. ${quoteRule(cites[0])}`
  return { name, source: 'shipped', description, rules: [] }
}
