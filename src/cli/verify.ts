import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { asJson } from '../provider/report/json.js'
import { asJunit } from '../provider/report/junit.js'
import { asMarkdown } from '../provider/report/markdown.js'
import { exitStatus } from '../provider/report/outcome.js'
import { asText } from '../provider/report/terminal.js'
import { type Verification, verifyProvider } from '../provider/verify.js'
import { waitUntilUp } from '../provider/wait-until-up.js'
import { collectComplaints } from '../server/load-data.js'
import { describeComplaint, type FileComplaint } from '../text/invalid-files.js'
import type { Command, Io } from './command.js'
import { type OwnFlags, readCommandLine } from './command-line.js'
import { readSettings } from './read-settings.js'
import { chosenOf, readData, readTarget, readWait, refuseServerOptions, targetFlags } from './target-flags.js'
import { writeNamedFile } from './write-file.js'

/** Where reports go. */
const reportFlags = { json: true, junit: true, summary: true } as const

const USAGE = 'Usage: countersign verify --target https://host/base --token TOKEN'

/** Verifies a provider: 0 as documented, 1 where it departs from the document, 3 where it cannot be judged. */
export const verify: Command = async (argv, io) => {
  const line = readCommandLine(argv, { ...targetFlags, ...reportFlags })
  refuseServerOptions(line, 'verify', USAGE)
  const { options, own } = line
  const { strict = false, ...files } = options
  const target = readTarget(line, io, USAGE)
  const { readings } = await readSettings(files, io)
  const contracts = contractsUnder(documented, readings)
  const chosen = chosenOf(own, contracts)
  const data = await readData(own, io, contracts)
  await waitUntilUp(target, readWait(own))
  const verification = await verifyProvider(readings, chosen, target, {
    data,
    allowWrites: own['allow-writes'] === true,
  })
  io.out(asText(verification, strict))
  const written = await writeReports(verification, target.url, strict, own, io)
  return written ? exitStatus(verification, strict) : 2
}

/** Writes the reports that are asked for; what cannot be written is told, and the others are there all the same. */
async function writeReports(
  verification: Verification,
  target: string,
  strict: boolean,
  own: OwnFlags,
  io: Io,
): Promise<boolean> {
  const reports: Readonly<Record<keyof typeof reportFlags, () => string>> = {
    json: () => asJson(verification, target),
    junit: () => asJunit(verification, strict),
    summary: () => asMarkdown(verification, target, strict),
  }
  const complaints: FileComplaint[] = []
  for (const [flag, text] of Object.entries(reports)) {
    const file = own[flag]
    if (typeof file === 'string') await collectComplaints(complaints, () => writeNamedFile(io, file, text()))
  }
  for (const complaint of complaints) io.err(`countersign: ${describeComplaint(complaint)}`)
  return complaints.length === 0
}
