import type { Contract } from './contract.js'
import { deepFreeze } from './freeze.js'
import { defaultReadings, type Readings } from './readings.js'
import { effects } from './switch-effects.js'

const made = new WeakMap<Readings, Map<Contract, Contract>>()

/** A contract under some readings; with the default ones it is as written. Made once for each readings object. */
export function contractUnder(contract: Contract, readings: Readings): Contract {
  if (readings === defaultReadings) return contract
  let known = made.get(readings)
  if (known === undefined) {
    known = new Map()
    made.set(readings, known)
  }
  let under = known.get(contract)
  if (under === undefined) {
    under = deepFreeze(effects.reduce((before, effect) => effect(before, readings), contract))
    known.set(contract, under)
  }
  return under
}

/** Contracts under some readings. */
export function contractsUnder(contracts: readonly Contract[], readings: Readings): readonly Contract[] {
  return contracts.map((contract) => contractUnder(contract, readings))
}
