import type { Contract } from './contract.js'
import { deepFreeze } from './freeze.js'
import { effects } from './switch-effects.js'
import type { Switches } from './switches.js'

export function contractsUnder<C extends Contract>(contracts: readonly C[], switches: Switches): readonly Contract[] {
  return contracts.map((contract) => contractUnder(contract, switches))
}

export function contractUnder(contract: Contract, switches: Switches): Contract {
  return deepFreeze(effects.reduce((before, effect) => effect(before, switches), contract))
}
