import type { Contract } from './contract.js'
import { deepFreeze } from './freeze.js'
import { perObject } from './per-object.js'
import { defaultReadings, type Readings } from './readings.js'
import { effects } from './switch-effects.js'

const under = perObject((readings: Readings) =>
  perObject((contract: Contract) => deepFreeze(effects.reduce((before, effect) => effect(before, readings), contract))),
)

/** A contract under some readings; with the default ones it is as written. Made once for each readings object. */
export function contractUnder(contract: Contract, readings: Readings): Contract {
  return readings === defaultReadings ? contract : under(readings)(contract)
}

/** Contracts under some readings. */
export function contractsUnder(contracts: readonly Contract[], readings: Readings): readonly Contract[] {
  return contracts.map((contract) => contractUnder(contract, readings))
}
