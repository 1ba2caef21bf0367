import type { Contract } from './contract.js'
import { deepFreeze } from './freeze.js'
import type { Readings } from './readings.js'
import { effects } from './switch-effects.js'

/** Contracts under some readings; with the default ones they are as written. */
export function contractsUnder<C extends Contract>(contracts: readonly C[], readings: Readings): readonly Contract[] {
  return contracts.map((contract) => contractUnder(contract, readings))
}

/** A contract under some readings. */
export function contractUnder(contract: Contract, readings: Readings): Contract {
  return deepFreeze(effects.reduce((before, effect) => effect(before, readings), contract))
}
