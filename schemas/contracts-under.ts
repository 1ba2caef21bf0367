import type { Contract } from './contract.js'
import { deepFreeze } from './freeze.js'
import { effects } from './switch-effects.js'
import type { Switches } from './switches.js'

/** Contracts under some interpretations; with the default ones they are as written. */
export function contractsUnder<C extends Contract>(contracts: readonly C[], switches: Switches): readonly Contract[] {
  return contracts.map((contract) => contractUnder(contract, switches))
}

/** A contract under some interpretations. */
export function contractUnder(contract: Contract, switches: Switches): Contract {
  return deepFreeze(effects.reduce((before, effect) => effect(before, switches), contract))
}
