import type { Contract } from '../../schemas/contract.js'
import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import type { Readings } from '../../schemas/readings.js'
import { asAnnotations } from '../provider/report/annotations.js'
import { asJson } from '../provider/report/json.js'
import { asJunit } from '../provider/report/junit.js'
import { asMarkdown } from '../provider/report/markdown.js'
import { exitStatus } from '../provider/report/outcome.js'
import { asText } from '../provider/report/terminal.js'
import { verifyAgainst } from '../provider/snapshot/against.js'
import { readSnapshot, snapshotOf, snapshotText } from '../provider/snapshot/snapshot.js'
import { InvalidOption } from '../server/invalid-option.js'
import { annotate } from './annotate.js'
import type { Command, Io } from './command.js'
import { type CommandLine, readCommandLine } from './command-line.js'
import { targetFlags } from './flags/target.js'
import { type Look, readLook } from './look.js'
import { manual, verifyReportFlags } from './manuals/verify.js'
import { namedFile } from './named-files.js'
import { readSettings } from './read-settings.js'
import { chosenOf, readTarget, refuseServerOptions } from './target-flags.js'
import { requireWritable } from './write-file.js'
import { tellUnwritten, unwrittenAsAnnotations, writeReports } from './write-reports.js'

const USAGE = 'Usage: countersign verify --target https://host/base --token TOKEN, or verify --against SNAPSHOT'

/** Verifies a provider: exits with 0 if it is as documented, 1 if it departs from the document, 3 if unavailable. */
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
  const reports = {
    json: () => asJson(verification, target),
    junit: () => asJunit(verification, strict),
    ...(verification.answers.length > 0 && {
      record: (file: string) => snapshotText(snapshotOf(verification, target, new Date()), file),
    }),
  }
  const unwritten = await writeReports(own, reports, (most) => asMarkdown(verification, target, strict, most), io)
  tellUnwritten(unwritten, io)
  annotate([...asAnnotations(verification, strict), ...unwrittenAsAnnotations(unwritten)], io.out, io)
  return unwritten.asked.length === 0 ? exitStatus(verification, strict) : 2
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
    throw new InvalidOption(
      `--${idle} cannot be combined with --against: the snapshot takes the place of the provider. ${USAGE}`,
    )
  const chosen = chosenOf(own, contracts)
  const snapshot = await readSnapshot(namedFile(io, file))
  return { target: snapshot.recorded.target, look: async () => verifyAgainst(snapshot, readings, chosen) }
}
