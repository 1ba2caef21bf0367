import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { interpretationsFile } from '../provider/interpretations/compare.js'
import { exitStatus, reportOf } from '../provider/report.js'
import { annotationsOf, jsonText, junitText, markdownText, terminalText } from '../text/report.js'
import { annotate } from './annotate.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'
import { readLook } from './look.js'
import { manual, verifyReportFlags } from './manuals/verify.js'
import { readSettings } from './read-settings.js'
import { readTarget, refuseServerOptions } from './target-flags.js'
import { requireWritable } from './write-file.js'
import { tellUnwritten, unwrittenAsAnnotations, writeReports } from './write-reports.js'

const USAGE = 'Usage: countersign verify --target https://host/base --token TOKEN'

/** Verifies a provider: exits with 0 if it is as documented, 1 if it departs from the document, 3 if unavailable. */
export const verify: Command = async (argv, io) => {
  const line = readCommandLine('verify', argv, manual.flags)
  refuseServerOptions(line, 'verify', USAGE)
  const { options, own } = line
  const { strict = false, ...others } = options
  const { readings } = await readSettings(others, io)
  const contracts = contractsUnder(documented, readings)
  const target = readTarget(line, io, USAGE)
  const look = await readLook(target, own, io, readings, contracts)
  await requireWritable(
    io,
    Object.keys(verifyReportFlags).flatMap((flag) => (typeof own[flag] === 'string' ? [own[flag]] : [])),
  )
  const verification = await look()
  const report = reportOf(verification, target.url, strict)
  io.out(terminalText(report))
  const interpretations = await interpretationsFile(verification.switches, readings, new Date())
  const files = {
    json: () => jsonText(report),
    junit: () => junitText(report),
    'write-interpretations': () => interpretations,
  }
  const unwritten = await writeReports(own, files, (most) => markdownText(report, most), io)
  tellUnwritten(unwritten, io)
  annotate([...annotationsOf(report), ...unwrittenAsAnnotations(unwritten)], io.out, io)
  return unwritten.asked.length === 0 ? exitStatus(verification, strict) : 2
}
