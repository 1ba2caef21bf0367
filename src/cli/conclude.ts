import type { Contract } from '../../schemas/contract.js'
import { coverageOf } from '../coverage/coverage.js'
import { describeForeign, foreignOutcomes } from '../coverage/foreign-outcomes.js'
import { failuresOf, type Gates } from '../coverage/gates.js'
import { gatesAsJunit } from '../coverage/gates-junit.js'
import { heatMap } from '../coverage/heat-map.js'
import { markdownSummary } from '../coverage/markdown.js'
import type { Report } from '../coverage/report.js'
import { collectComplaints } from '../server/load-data.js'
import { describeComplaint, type FileComplaint } from '../text/invalid-files.js'
import type { Io } from './command.js'
import type { OwnFlags } from './command-line.js'
import type { runReportFlags } from './flags/run-reports.js'
import { writeNamedFile } from './write-file.js'

/** Checks a run against its gates, prints and writes the reports; resolves with whether it passed. */
export async function conclude(
  report: Report,
  contracts: readonly Contract[],
  gates: Gates,
  unused: readonly string[],
  flags: OwnFlags,
  io: Io,
): Promise<boolean> {
  const coverage = coverageOf(contracts, [report.outcomes])
  const failures = failuresOf(report, coverage, gates, unused)
  const files: Record<keyof typeof runReportFlags, () => string> = {
    junit: () => gatesAsJunit(failures, gates),
    summary: () => markdownSummary(coverage, failures),
    coverage: () => `${JSON.stringify(report, null, 2)}\n`,
  }
  const complaints: FileComplaint[] = []
  for (const [flag, text] of Object.entries(files)) {
    const file = flags[flag]
    if (typeof file === 'string') await collectComplaints(complaints, () => writeNamedFile(io, file, text()))
  }
  io.err('')
  io.err(heatMap(report, coverage, io.colours.err))
  const foreign = foreignOutcomes(report, coverage)
  if (complaints.length + foreign.length > 0) io.err('')
  for (const outcome of foreign) io.err(`countersign: ${describeForeign(outcome, report)}`)
  // Told last, where it is seen; the other reports and the outcomes are there all the same.
  for (const complaint of complaints) io.err(`countersign: ${describeComplaint(complaint)}`)
  if (failures.length === 0) return complaints.length === 0
  io.err('')
  for (const { gate, name, message } of failures) io.err(`✗ ${gate}  ${name}\n    ${message}`)
  io.err(`\n${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}.`)
  return false
}
