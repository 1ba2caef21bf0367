import { type Contract, outcomeIdsOf } from '../../schemas/contract.js'
import { coverageOf } from '../coverage/coverage.js'
import {
  describeForeign,
  FAIL_ON,
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
import type { Io, Values } from './command.js'
import { flag, namesIn, percentage, requireKnown, someOf, toggle } from './flags.js'
import { annotateReport, writeReports } from './reports.js'

/** The gates that a run must pass, and where to write its reports. */
export const runFlags = {
  failOn: flag('<LIST>', `What must not occur in the run, comma-separated: ${FAIL_ON.join(', ')}.`, someOf(FAIL_ON)),
  require: flag('<OUTCOMES>', 'Outcomes that the run must meet, such as addOrganizationMember:409,…', namesIn),
  allowIdle: toggle('Do not fail --fail-on if the run made no calls at all.'),
  minCoverage: flag(
    '<PERCENT>',
    'Percentage of all outcomes that the run must meet, 0 to 100 (default 0).',
    percentage,
  ),
  junit: flag('<FILE>', 'Write the gates as JUnit XML.'),
  summary: flag('<FILE>', 'Write coverage and failures as markdown.'),
  coverage: flag('<FILE>', "Write the coverage as JSON, for 'countersign coverage' to add up."),
}

export type RunFlags = typeof runFlags

/**
 * The gates that flags set; outcomes are those of the contracts, and those that were met under other readings.
 * @throws {WrongUse} for an unknown outcome
 */
export function readGates(flags: Values<RunFlags>, contracts: readonly Contract[], met: readonly string[] = []): Gates {
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
  { coverage: json, junit, summary }: Values<RunFlags>,
  io: Io,
): Promise<boolean> {
  const coverage = coverageOf(contracts, [run.outcomes])
  const failures = failuresOf(run, coverage, gates, unused)
  const report = gatesReport({ run, coverage, failures, gates, failure })
  io.err(`\n${terminalText(report, io.colours.err)}`)
  const foreign = foreignOutcomes(run, coverage)
  if (foreign.length > 0) io.err('')
  for (const outcome of foreign) io.err(`countersign: ${describeForeign(outcome, run)}`)
  const unwritten = await writeReports(report, { json, junit, summary }, io)
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
