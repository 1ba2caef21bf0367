import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { mergeReports } from '../coverage/report.js'
import { readReport } from '../coverage/report-file.js'
import { InvalidOption } from '../server/invalid-option.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'
import { conclude } from './conclude.js'
import { readGates } from './gate-flags.js'
import { manual } from './manuals/coverage.js'
import { namedFile } from './named-files.js'
import { readSettings } from './read-settings.js'

/** Adds up the coverage files of several runs, and checks the total against the gates. */
export const coverage: Command = async (argv, io) => {
  const { options, words: files, own } = readCommandLine('coverage', argv, manual.flags)
  if (files.length === 0)
    throw new InvalidOption("Name the files that 'countersign exec --coverage FILE' wrote: countersign coverage FILE…")
  const { readings } = await readSettings(options, io)
  const contracts = contractsUnder(documented, readings)
  const reports = await Promise.all(files.map((file) => readReport(namedFile(io, file))))
  const sum = mergeReports(reports)
  const gates = readGates(own, contracts, Object.keys(sum.outcomes))
  if (gates.failOn.includes('unused')) throw new InvalidOption('Only countersign exec supports --fail-on unused.')
  return (await conclude({ report: sum, contracts, gates }, own, io)) ? 0 : 1
}
