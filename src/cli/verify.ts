import type { Contract } from '../../schemas/contract.js'
import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import type { Readings } from '../../schemas/readings.js'
import { asJson } from '../provider/report/json.js'
import { asJunit } from '../provider/report/junit.js'
import { asMarkdown } from '../provider/report/markdown.js'
import { exitStatus } from '../provider/report/outcome.js'
import { asText } from '../provider/report/terminal.js'
import { verifyAgainst } from '../provider/snapshot/against.js'
import { readSnapshot, snapshotOf, snapshotText } from '../provider/snapshot/snapshot.js'
import type { Verification } from '../provider/verify.js'
import { InvalidOption } from '../server/invalid-option.js'
import { collectComplaints } from '../server/load-data.js'
import { describeComplaint, type FileComplaint } from '../text/invalid-files.js'
import type { Command, Io } from './command.js'
import { type CommandLine, type OwnFlags, readCommandLine } from './command-line.js'
import { targetFlags } from './flags/target.js'
import { type Look, readLook } from './look.js'
import { manual, verifyReportFlags } from './manuals/verify.js'
import { readNamed } from './read-named.js'
import { readSettings } from './read-settings.js'
import { chosenOf, readTarget, refuseServerOptions } from './target-flags.js'
import { requireWritable, writeNamedFile } from './write-file.js'

const USAGE = 'Usage: countersign verify --target https://host/base --token TOKEN, or verify --against SNAPSHOT'

/** Verifies a provider: 0 as documented, 1 where it departs from the document, 3 where it cannot be judged. */
export const verify: Command = async (argv, io) => {
  const line = readCommandLine('verify', argv, manual.flags)
  refuseServerOptions(line, 'verify', USAGE)
  const { options, own } = line
  const { strict = false, ...files } = options
  const { readings } = await readSettings(files, io)
  const contracts = contractsUnder(documented, readings)
  const { target, look } =
    typeof own.against === 'string'
      ? await atSnapshot(own.against, readings, contracts, line, io)
      : await atProvider(readings, contracts, line, io)
  await requireWritable(
    io,
    Object.keys(verifyReportFlags).flatMap((flag) => (typeof own[flag] === 'string' ? [own[flag]] : [])),
  )
  const verification = await look()
  io.out(asText(verification, strict))
  const written = await writeReports(verification, target, strict, own, io)
  return written ? exitStatus(verification, strict) : 2
}

/** What is looked at, and how, once all flags are known to fit. */
interface Subject {
  readonly target: string
  readonly look: Look
}

async function atProvider(
  readings: Readings,
  contracts: readonly Contract[],
  line: CommandLine,
  io: Io,
): Promise<Subject> {
  const target = readTarget(line, io, USAGE)
  return { target: target.url, look: await readLook(target, line.own, io, readings, contracts) }
}

/** What was seen stands in for the provider. */
async function atSnapshot(
  file: string,
  readings: Readings,
  contracts: readonly Contract[],
  { own, lists }: CommandLine,
  io: Io,
): Promise<Subject> {
  const idle = Object.keys({ ...own, ...lists }).find(
    (flag) => flag === 'record' || (flag in targetFlags && flag !== 'only'),
  )
  if (idle !== undefined)
    throw new InvalidOption(`--${idle} does not go with --against: a snapshot stands in for the provider. ${USAGE}`)
  const chosen = chosenOf(own, contracts)
  const snapshot = await readNamed(io, file, readSnapshot)
  return { target: snapshot.recorded.target, look: async () => verifyAgainst(snapshot, readings, chosen) }
}

/** Writes the reports that are asked for; what cannot be written is told, and the others are there all the same. */
async function writeReports(
  verification: Verification,
  target: string,
  strict: boolean,
  own: OwnFlags,
  io: Io,
): Promise<boolean> {
  const reports: Readonly<Record<keyof typeof verifyReportFlags, (file: string) => string | Promise<string>>> = {
    json: () => asJson(verification, target),
    junit: () => asJunit(verification, strict),
    summary: () => asMarkdown(verification, target, strict),
    record: (file) => snapshotText(snapshotOf(verification, target, new Date()), file),
  }
  const complaints: FileComplaint[] = []
  for (const [flag, text] of Object.entries(reports)) {
    const file = own[flag]
    if (typeof file !== 'string' || (flag === 'record' && verification.answers.length === 0)) continue
    await collectComplaints(complaints, async () => writeNamedFile(io, file, await text(file)))
  }
  for (const complaint of complaints) io.err(`countersign: ${describeComplaint(complaint)}`)
  return complaints.length === 0
}
