import { Option } from 'commander'
import { type Contract, outcomeIdsOf } from '../../schemas/contract.js'
import { FAIL_ON, type FailOn, type Gates } from '../coverage/gates.js'
import { flag, namesIn, percentage, requireKnown, someOf } from './flags.js'

/** The flags of gates and reports. */
export interface RunFlags {
  readonly failOn?: readonly FailOn[]
  readonly require?: readonly string[]
  readonly allowIdle?: true
  readonly minCoverage?: number
  readonly junit?: string
  readonly summary?: string
  readonly coverage?: string
}

/** The gates that a run must pass, and where to write its reports. */
export const runFlags: readonly Option[] = [
  flag('--fail-on <LIST>', `What must not occur in the run, comma-separated: ${FAIL_ON.join(', ')}.`, someOf(FAIL_ON)),
  flag(
    '--require <OUTCOMES>',
    'Outcomes that the run must meet, comma-separated: addOrganizationMember:409,…',
    namesIn,
  ),
  new Option('--allow-idle', 'Do not fail --fail-on if the run made no calls at all.'),
  flag(
    '--min-coverage <PERCENT>',
    'Percentage of all outcomes that the run must meet, from 0 to 100 (default 0).',
    percentage,
  ),
  flag('--junit <FILE>', 'Write the gates as JUnit XML.'),
  flag('--summary <FILE>', 'Write coverage and failures as markdown.'),
  flag('--coverage <FILE>', "Write the coverage as JSON, for 'countersign coverage' to add up."),
]

/**
 * The gates that flags set; outcomes are those of the contracts, and those that were met under other readings.
 * @throws {WrongUse} for an unknown outcome
 */
export function readGates(flags: RunFlags, contracts: readonly Contract[], met: readonly string[] = []): Gates {
  const { failOn = [], require = [], minCoverage = 0, allowIdle = false } = flags
  const known = [...new Set([...outcomeIdsOf(contracts), ...met])]
  for (const outcome of require) requireKnown('--require', outcome, known)
  return { failOn, require, minCoverage, allowIdle }
}
