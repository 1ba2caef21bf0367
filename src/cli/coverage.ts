import { mergeReports, type Report, ReportFile } from '../coverage/report.js'
import { InvalidOption } from '../server/invalid-option.js'
import { readSource } from '../text/source-file.js'
import { requireSchema } from '../validation/explain.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'
import { conclude, reportFlags } from './conclude.js'
import { gateFlags, readGates } from './gate-flags.js'

/** Adds the coverage files of several runs up, and holds the gates against the sum. */
export const coverage: Command = async (argv, io) => {
  const { words: files, own } = readCommandLine(argv, { ...gateFlags, ...reportFlags })
  if (files.length === 0)
    throw new InvalidOption("Name the files that 'countersign exec --coverage FILE' wrote: countersign coverage FILE…")
  const gates = readGates(own)
  if (gates.failOn.includes('unused'))
    throw new InvalidOption('--fail-on unused is known to each run alone: give it to countersign exec.')
  const reports = await Promise.all(files.map(read))
  return (await conclude(mergeReports(reports), gates, [], own, io)) ? 0 : 1
}

async function read(file: string): Promise<Report> {
  const source = await readSource(file)
  await requireSchema(source, ReportFile)
  return source.data as Report
}
