import type { Contract } from '../../schemas/contract.js'
import { coverageOf } from '../coverage/coverage.js'
import { describeForeign, foreignOutcomes } from '../coverage/foreign-outcomes.js'
import { type GateFailure, nameOf, sentencesOf } from '../coverage/gate-failure.js'
import { failuresOf, type Gates, gateNames, type UnusedRule } from '../coverage/gates.js'
import { gatesAsAnnotations } from '../coverage/gates-annotations.js'
import { gatesAsJunit } from '../coverage/gates-junit.js'
import { heatMap } from '../coverage/heat-map.js'
import { markdownSummary } from '../coverage/markdown.js'
import type { Report } from '../coverage/report.js'
import { onOneLine } from '../text/wording.js'
import { annotate } from './annotate.js'
import type { Io } from './command.js'
import type { RunFlags } from './gates.js'
import { tellUnwritten, unwrittenAsAnnotations, writeReports } from './write-reports.js'

/** A finished run, and the gates that it must pass. */
export interface Run {
  readonly report: Report
  readonly contracts: readonly Contract[]
  readonly gates: Gates
  readonly unused?: readonly UnusedRule[]
  /** How the command failed, as a sentence; undefined if it succeeded. */
  readonly failure?: string | undefined
}

/** Checks a run against its gates, prints and writes the reports; resolves with whether it passed them. */
export async function conclude(run: Run, flags: RunFlags, io: Io): Promise<boolean> {
  const { report, contracts, gates, unused = [], failure } = run
  const coverage = coverageOf(contracts, [report.outcomes])
  const failures = failuresOf(report, coverage, gates, unused)
  const verdict = { coverage, failures, gates, failure }
  const reports = {
    junit: () => gatesAsJunit(failures, gates, failure),
    coverage: () => `${JSON.stringify(report, null, 2)}\n`,
  } satisfies Partial<Record<keyof RunFlags, () => string>>
  const unwritten = await writeReports(flags, reports, (most) => markdownSummary(verdict, most), io)
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
  if (failures.length === 0 && gateNames(gates).length > 0) io.err('\nAll gates passed.')
  if (failure !== undefined) io.err(`\ncountersign: ${onOneLine(failure, LONGEST)}`)
  const annotations = [...gatesAsAnnotations(failures, failure), ...unwrittenAsAnnotations(unwritten)]
  annotate(annotations, io.err, io)
  return failures.length === 0 && unwritten.asked.length === 0
}

/** What a client sent is in it, and must neither move the cursor nor begin a line. */
function failureLines(failure: GateFailure): string {
  const [name, text] = [nameOf(failure), sentencesOf(failure).join(' ')].map((one) => onOneLine(one, LONGEST))
  return `✗ ${failure.gate}  ${name}\n    ${text}`
}

/** Characters of a line. */
const LONGEST = 10_000
