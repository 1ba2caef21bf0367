import type { Contract } from '../../schemas/contract.js'
import { coverageOf } from '../coverage/coverage.js'
import { failuresOf, type Gates, gateNames, type UnusedRule } from '../coverage/gates.js'
import { gatesReport } from '../coverage/gates-report.js'
import type { RunReport } from '../coverage/report.js'
import { junitText } from '../text/junit.js'
import { markdownText } from '../text/markdown.js'
import { annotationsOf, findingLines, jsonText, terminalText } from '../text/report.js'
import { onOneLine } from '../text/wording.js'
import { annotate } from './annotate.js'
import type { Io } from './command.js'
import type { RunFlags } from './gates.js'
import { tellUnwritten, unwrittenAsAnnotations, writeReports } from './write-reports.js'

/** A finished run, and the gates that it must pass. */
export interface Run {
  readonly report: RunReport
  readonly contracts: readonly Contract[]
  readonly gates: Gates
  readonly unused?: readonly UnusedRule[]
  /** How the command failed, as a sentence; undefined if it succeeded. */
  readonly failure?: string | undefined
}

/**
 * Checks a run against its gates, prints and writes the reports; resolves with whether it passed them. Beside a command,
 * whose own output is on standard output, the report is on standard error.
 */
export async function conclude(
  { report: run, contracts, gates, unused = [], failure }: Run,
  flags: RunFlags,
  io: Io,
  stream: 'out' | 'err' = 'err',
) {
  const print = io[stream]
  const coverage = coverageOf(contracts, [run.outcomes])
  const failures = failuresOf(run, coverage, gates, unused)
  const report = gatesReport({ run, coverage, failures, gates, failure })
  const files = { junit: () => junitText(report), coverage: () => jsonText(report) }
  const unwritten = await writeReports(flags, files, (most) => markdownText(report, most), io)
  print('')
  print(terminalText(report))
  if (unwritten.asked.length + unwritten.unasked.length > 0) print('')
  // Told last, where it is seen; the other reports and the outcomes are there all the same.
  tellUnwritten(unwritten, io)
  if (failures.length > 0) {
    print(`\n${findingLines(report)}`)
    print(`\n${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}.`)
  }
  if (failures.length === 0 && gateNames(gates).length > 0) print('\nAll gates passed.')
  if (failure !== undefined) io.err(`\ncountersign: ${onOneLine(failure, LONGEST)}`)
  const command = failure === undefined ? [] : [{ level: 'error', title: 'countersign', message: failure } as const]
  annotate([...command, ...annotationsOf(report), ...unwrittenAsAnnotations(unwritten)], print, io)
  return failures.length === 0 && unwritten.asked.length === 0
}

/** Characters of a line. */
const LONGEST = 10_000
