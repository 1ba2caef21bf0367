import { complaintFrom, nameFrom } from '../server/complaints.js'
import { annotationOf } from '../text/annotation.js'
import { describeComplaint } from '../text/invalid-files.js'
import { checkFiles } from './check-files.js'
import type { CliCommand } from './command.js'
import { annotate } from './reports.js'

/** Checks config, fixtures and scenarios; exits 1 with every complaint at once. */
export const command: CliCommand = {
  about:
    'Checks the config file, the fixtures and the scenarios without starting a server, and reports all complaints at once, with line and column. The exit status is 1 if there are any.',
  options: ['config', 'fixtures', 'scenarios', 'scenario', 'clock'],
  sections: {
    Examples: `
countersign validate
countersign validate --config conf/ci.yaml --scenarios ./scenarios`,
  },
  async run({ options }, io) {
    const { settings, records, scenarios, ...found } = await checkFiles(options, io)
    const complaints = found.complaints.map((one) => complaintFrom(io.folder, one))
    for (const complaint of complaints) io.err(describeComplaint(complaint))
    if (complaints.length > 0) {
      io.err(`${complaints.length} ${complaints.length === 1 ? 'complaint' : 'complaints'}.`)
      annotate(complaints.map(annotationOf), io.err, io)
      return 1
    }
    const { configFile } = settings
    const config = configFile === undefined ? 'no config file' : nameFrom(io.folder, configFile)
    io.out(`No problems found: ${config}, ${records} fixtures, ${scenarios} scenarios.`)
    return 0
  },
}
