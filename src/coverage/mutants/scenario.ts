import type { Contract } from '../../../schemas/contract.js'
import type { Scenario } from '../../world/scenarios/scenario.js'
import { mutantNamed, rulesOf } from './mutants.js'

const PREFIX = 'mutant:'

/** The scenario that alters answers as a mutant does while it is on: `mutant:ID`. Lists of scenarios leave it out. */
export function mutantScenario(name: string, contracts: readonly Contract[]): Scenario | undefined {
  const mutant = name.startsWith(PREFIX) ? mutantNamed(name.slice(PREFIX.length), contracts) : undefined
  if (mutant === undefined) return undefined
  const { id, outcome, place, operator } = mutant
  const description = `Makes answers untrue: ${outcome}, ${place}, ${operator}. ${rulesOf(mutant)[0]}`
  return { name, source: 'shipped', description, rules: [], mutant: id }
}
