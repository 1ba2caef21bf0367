import { type Contract, outcomeIdsOf } from '../../schemas/contract.js'
import { FAIL_ON, type FailOn, type Gates } from '../coverage/gates.js'
import { InvalidOption } from '../server/invalid-option.js'
import { didYouMean, quote } from '../text/wording.js'
import type { OwnFlags } from './command-line.js'

/**
 * Reads the gates' flags; outcomes are those of the contracts, and those that were met under other readings.
 * @throws {InvalidOption} for an unknown gate or outcome, or a wrong percentage
 */
export function readGates(flags: OwnFlags, contracts: readonly Contract[], met: readonly string[] = []): Gates {
  const failOn = list(flags['fail-on'])
  const require = list(flags.require)
  for (const one of failOn) requireKnown('--fail-on', one, FAIL_ON)
  for (const one of require) requireKnown('--require', one, [...new Set([...outcomeIdsOf(contracts), ...met])])
  return {
    failOn: failOn as FailOn[],
    require,
    minCoverage: percentage('min-coverage', flags['min-coverage'] ?? '0'),
    allowIdle: flags['allow-idle'] === true,
  }
}

/** @throws {InvalidOption} for what is no percentage from 0 to 100 */
export function percentage(flag: string, value: string | true): number {
  if (/^\d{1,3}(\.\d+)?%?$/.test(String(value)) && Number.parseFloat(String(value)) <= 100)
    return Number.parseFloat(String(value))
  throw new InvalidOption(`--${flag} must be a percentage from 0 to 100, not ${quote(value)}.`)
}

function list(value: string | true | undefined): string[] {
  if (typeof value !== 'string') return []
  const all = value.split(',').map((one) => one.trim())
  return [...new Set(all)].filter((one) => one !== '')
}

function requireKnown(flag: string, one: string, known: readonly string[]): void {
  if (known.includes(one)) return
  throw new InvalidOption(`${flag} does not take ${quote(one)}.${didYouMean(one, known)} Allowed: ${known.join(', ')}.`)
}
