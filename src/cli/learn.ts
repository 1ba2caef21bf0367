import { stat } from 'node:fs/promises'
import type { InterpretationsFile } from '../../schemas/config.js'
import { contracts as documented } from '../../schemas/contracts.js'
import { switchText } from '../../schemas/readings.js'
import { asYaml, type LearnedFile, learnedFrom } from '../provider/learned-file.js'
import type { Lesson } from '../provider/readings/lesson.js'
import { valueFrom } from '../provider/readings/value.js'
import { readInterpretationsFile } from '../server/interpretations-file.js'
import { InvalidOption } from '../server/invalid-option.js'
import { quote } from '../text/wording.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'
import { readLook } from './look.js'
import { manual, OUT } from './manuals/learn.js'
import { namedFile } from './named-files.js'
import { readSettings } from './read-settings.js'
import { readTarget, refuseServerOptions } from './target-flags.js'
import { requireWritable, writeNamedFile } from './write-file.js'

const USAGE = 'Usage: countersign learn --target https://host/base --token TOKEN'

/** Finds out how a provider reads what the document leaves open, and writes it; exits with 3 if it is unavailable. */
export const learn: Command = async (argv, io) => {
  const line = readCommandLine('learn', argv, manual.flags)
  refuseServerOptions(line, 'learn', USAGE)
  const { options, own } = line
  const { strict, interpretations, ...files } = options
  if (strict !== undefined || interpretations !== undefined)
    throw new InvalidOption(`learn does not take --strict or --interpretations; use them with verify. ${USAGE}`)
  const target = readTarget(line, io, USAGE)
  const out = typeof own.out === 'string' ? own.out : OUT
  const before = await learnedBefore(namedFile(io, out), out, target.url)
  const { readings } = await readSettings(files, io)
  const look = await readLook(target, own, io, readings, documented)
  await requireWritable(io, [out])
  const { lessons, findings, unavailable } = await look()
  for (const message of unavailable) io.err(`countersign: ${message}`)
  if (lessons.every(({ evidence }) => evidence.length === 0)) return unavailable.length > 0 ? 3 : nothing(io.err)
  const file = learnedFrom(lessons, target.url, new Date(), before)
  await writeNamedFile(io, out, await asYaml(file))
  io.out(summary(lessons, file, out, findings.left))
  const drifts = findings.all.filter(({ state }) => state === 'drift').length
  if (drifts > 0)
    io.out(`The provider departs from the document in ${drifts} places. Run 'countersign verify' to see where.`)
  return unavailable.length > 0 ? 3 : 0
}

function nothing(err: (text: string) => void): number {
  err('countersign: Nothing was learned, so nothing was written.')
  return 0
}

/**
 * The existing content of the file, which is added to if it was learned from the same provider.
 * @throws {InvalidOption} if the file was not learned from this provider
 */
async function learnedBefore(file: string, out: string, target: string): Promise<InterpretationsFile | undefined> {
  if ((await stat(file).catch(() => undefined)) === undefined) return undefined
  const before = await readInterpretationsFile(file)
  if (before.learned?.target === target) return before
  const whose =
    before.learned === undefined ? 'was not written by learn' : `was learned from ${quote(before.learned.target)}`
  throw new InvalidOption(
    `${quote(out)} ${whose}, so it is not overwritten. Name another file with --out, or delete it.`,
  )
}

function summary(lessons: readonly Lesson[], file: LearnedFile, out: string, left: readonly string[]): string {
  const shown = lessons.filter(({ evidence }) => evidence.length > 0)
  const width = Math.max(...lessons.map(({ name }) => name.length))
  const open = lessons.filter(({ undecided }) => undecided !== undefined)
  return [
    ...shown.map(({ name, interpretation, evidence }) => {
      const value = valueFrom(name, evidence)
      return `${interpretation}  ${name.padEnd(width)}  ${switchText(name, value)}`
    }),
    ...(open.length === 0 ? [] : ['', 'Not shown']),
    ...open.map(({ name, undecided }) => `      ${name.padEnd(width)}  ${undecided}`),
    ...(left.length === 0 ? [] : ['', 'Left at the provider', ...left.map((one) => `  ${one}`)]),
    '',
    `${out} now holds ${Object.keys(file.interpretations).length} switches. To use them: countersign --interpretations ${out}`,
  ].join('\n')
}
