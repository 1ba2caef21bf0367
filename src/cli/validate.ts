import { annotationOf } from '../text/annotation.js'
import { describeComplaint } from '../text/invalid-files.js'
import { annotate } from './annotate.js'
import { checkFiles } from './check-files.js'
import type { Command } from './command.js'
import { readCommandLine, refuseWords } from './command-line.js'

/** Checks config, fixtures and scenarios; exits 1 with every complaint at once. */
export const validate: Command = async (argv, io) => {
  const { options, words } = readCommandLine('validate', argv)
  refuseWords('validate', words)
  const { configFile, records, scenarios, complaints } = await checkFiles(options, io)
  for (const complaint of complaints) io.err(describeComplaint(complaint))
  if (complaints.length > 0) {
    io.err(`${complaints.length} ${complaints.length === 1 ? 'complaint' : 'complaints'}.`)
    annotate(complaints.map(annotationOf), io.err, io)
    return 1
  }
  io.out(`No problems found: ${configFile ?? 'no config file'}, ${records} fixtures, ${scenarios} scenarios.`)
  return 0
}
