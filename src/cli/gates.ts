import { Option } from 'commander'
import { type Contract, outcomeIdsOf } from '../../schemas/contract.js'
import { coverageOf } from '../coverage/coverage.js'
import {
  describeForeign,
  FAIL_ON,
  type FailOn,
  failuresOf,
  foreignOutcomes,
  type Gates,
  gateNames,
  type UnusedRule,
} from '../coverage/gates.js'
import { gatesReport } from '../coverage/gates-report.js'
import type { RunReport } from '../coverage/report.js'
import { findingLines, terminalText } from '../text/report.js'
import { onOneLine } from '../text/wording.js'
import type { Io } from './command.js'
import { flag, namesIn, percentage, requireKnown, someOf } from './flags.js'
import { annotateReport, tellUnwritten, writeReports } from './reports.js'

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

/** A finished run, and the gates that it must pass. */
export interface Run {
  readonly report: RunReport
  readonly contracts: readonly Contract[]
  readonly gates: Gates
  readonly unused?: readonly UnusedRule[]
  /** How the command failed, as a sentence; undefined if it succeeded. */
  readonly failure?: string | undefined
}

/** Checks a run against its gates, prints and writes the reports; resolves with whether it passed them. */
export async function conclude(
  { report: run, contracts, gates, unused = [], failure }: Run,
  { coverage: json, junit, summary }: RunFlags,
  io: Io,
): Promise<boolean> {
  const coverage = coverageOf(contracts, [run.outcomes])
  const failures = failuresOf(run, coverage, gates, unused)
  const report = gatesReport({ run, coverage, failures, gates, failure })
  const unwritten = await writeReports(report, { json, junit, summary }, io)
  io.err(`\n${terminalText(report, io.colours.err)}`)
  const foreign = foreignOutcomes(run, coverage)
  if (unwritten.asked.length + unwritten.unasked.length + foreign.length > 0) io.err('')
  for (const outcome of foreign) io.err(`countersign: ${describeForeign(outcome, run)}`)
  // Told last, where it is seen; the other reports and the outcomes are there all the same.
  tellUnwritten(unwritten, io)
  if (failures.length > 0) {
    io.err(`\n${findingLines(report)}`)
    io.err(`\n${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}.`)
  }
  if (failures.length === 0 && gateNames(gates).length > 0) io.err('\nAll gates passed.')
  if (failure !== undefined) io.err(`\ncountersign: ${onOneLine(failure, LONGEST)}`)
  annotateReport(report, unwritten, io.err, io, failure)
  return failures.length === 0 && unwritten.asked.length === 0
}

/** Characters of a line. */
const LONGEST = 10_000
