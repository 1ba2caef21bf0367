import type { Contract } from '../../schemas/contract.js'
import { coverageOf } from '../coverage/coverage.js'
import { describeForeign, foreignOutcomes } from '../coverage/foreign-outcomes.js'
import { type GateFailure, nameOf, sentencesOf } from '../coverage/gate-failure.js'
import { failuresOf, type Gates, type UnusedRule } from '../coverage/gates.js'
import { gatesAsAnnotations } from '../coverage/gates-annotations.js'
import { gatesAsJunit } from '../coverage/gates-junit.js'
import { heatMap } from '../coverage/heat-map.js'
import { markdownSummary } from '../coverage/markdown.js'
import type { Report } from '../coverage/report.js'
import { onOneLine } from '../text/wording.js'
import { annotate } from './annotate.js'
import type { Io } from './command.js'
import type { OwnFlags } from './command-line.js'
import type { runReportFlags } from './flags/run-reports.js'
import { tellUnwritten, unwrittenAsAnnotations, writeReports } from './write-reports.js'

/** Checks a run against its gates, prints and writes the reports; resolves with whether it passed. */
export async function conclude(
  report: Report,
  contracts: readonly Contract[],
  gates: Gates,
  unused: readonly UnusedRule[],
  flags: OwnFlags,
  io: Io,
): Promise<boolean> {
  const coverage = coverageOf(contracts, [report.outcomes])
  const failures = failuresOf(report, coverage, gates, unused)
  const reports = {
    junit: () => gatesAsJunit(failures, gates),
    coverage: () => `${JSON.stringify(report, null, 2)}\n`,
  } satisfies Record<Exclude<keyof typeof runReportFlags, 'summary'>, () => string>
  const unwritten = await writeReports(flags, reports, (most) => markdownSummary(coverage, failures, most), io)
  io.err('')
  io.err(heatMap(report, coverage, io.colours.err))
  const foreign = foreignOutcomes(report, coverage)
  if (unwritten.asked.length + unwritten.unasked.length + foreign.length > 0) io.err('')
  for (const outcome of foreign) io.err(`countersign: ${describeForeign(outcome, report)}`)
  // Told last, where it is seen; the other reports and the outcomes are there all the same.
  tellUnwritten(unwritten, io)
  if (failures.length > 0) {
    io.err('')
    for (const one of failures) io.err(failureLines(one))
    io.err(`\n${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}.`)
  }
  annotate([...gatesAsAnnotations(failures), ...unwrittenAsAnnotations(unwritten)], io.err, io)
  return failures.length === 0 && unwritten.asked.length === 0
}

/** What a client sent is in it, and must neither move the cursor nor begin a line. */
function failureLines(failure: GateFailure): string {
  const [name, text] = [nameOf(failure), sentencesOf(failure).join(' ')].map((one) => onOneLine(one, LONGEST))
  return `✗ ${failure.gate}  ${name}\n    ${text}`
}

/** Characters of a line. */
const LONGEST = 10_000
