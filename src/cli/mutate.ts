import { readFile } from 'node:fs/promises'
import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { drawn } from '../coverage/mutants/draw.js'
import type { Excepted, Finding, Findings } from '../coverage/mutants/findings.js'
import { type MutantGates, mutantFailures } from '../coverage/mutants/gates.js'
import { keepLastRun } from '../coverage/mutants/last-run.js'
import { mutantNamed } from '../coverage/mutants/mutants.js'
import { mutantsReport } from '../coverage/mutants/report.js'
import { InvalidOption } from '../server/invalid-option.js'
import { annotationsOf, findingLines, jsonText, junitText, markdownText, terminalText } from '../text/report.js'
import { quote } from '../text/wording.js'
import type { Settings } from '../world/settings.js'
import { annotate } from './annotate.js'
import { withUsableFiles } from './check-files.js'
import type { Command, Io } from './command.js'
import { type OwnFlags, readCommandLine } from './command-line.js'
import { percentage } from './gate-flags.js'
import { manual } from './manuals/mutate.js'
import { runControl } from './mutate/control.js'
import { tryMutants } from './mutate/try-mutants.js'
import { namedFile } from './named-files.js'
import { readSettings } from './read-settings.js'
import { requireSuite } from './suite.js'
import { chosenOf } from './target-flags.js'
import { requireWritable } from './write-file.js'
import { tellUnwritten, unwrittenAsAnnotations, writeReports } from './write-reports.js'

const INTERRUPTED = 130

/** Measures a suite: runs it once for each of some mutants, and tells which of them it did not notice. */
export const mutate: Command = async (argv, io) => {
  const { options, words, rest, own } = readCommandLine('mutate', argv, manual.flags)
  const command = requireSuite('mutate', words, rest)
  const settings = await withUsableFiles(options, io, () => readSettings(options, io))
  if (settings.provider !== undefined)
    throw new InvalidOption('A mutant alters answers of the mock alone: leave --provider out.')
  const contracts = contractsUnder(documented, settings.readings)
  const chosen = chosenOf(own, contracts)
  const count = whole(own, 'count', 50)
  const jobs = whole(own, 'jobs', 1)
  const minutes = minutesOf(own)
  const gates = await readGates(own, io)
  const excepted = exceptedOf(settings, (id) => mutantNamed(id, contracts) !== undefined)
  await requireWritable(io, ['json', 'junit', 'summary'].flatMap((flag) => own[flag] ?? []) as string[])

  const began = performance.now()
  const [interrupted, ended] = [new AbortController(), new AbortController()]
  void io.stopped?.then(() => interrupted.abort())
  const late = setTimeout(() => ended.abort(), minutes * 60_000)
  const suite = { command, settings, io, signal: AbortSignal.any([interrupted.signal, ended.signal]) }
  try {
    const control = await runControl(suite, contracts, jobs)
    const ids = new Set(chosen.map(({ id }) => id))
    const left = control.candidates.filter(
      ({ mutant }) => ids.has(mutant.operation) && !excepted.some((one) => one.mutant === mutant.id),
    )
    const trials = drawn(left, settings.seed).slice(0, count)
    const usual = Math.max(...control.durations)
    const rest = minutes * 60_000 - (performance.now() - began)
    const fits = Math.floor((rest / usual) * jobs)
    io.err(
      `The suite is green, ${seconds(usual)} a run. What it met makes ${left.length} mutants; ${trials.length} are tried (seed ${quote(settings.seed)})${fits < trials.length ? `, of which some ${fits} fit into ${minutes} minutes` : ''}.`,
    )
    const onFinding = (known: readonly Finding[]) => io.progress?.(progress(known, trials.length, usual / jobs))
    const mutants = await tryMutants(suite, trials, { jobs, usual, onFinding })
    io.progress?.('')
    const durations = { control: control.durations, all: Math.round(performance.now() - began) }
    return await conclude(
      { seed: settings.seed, mutants, excepted, durations },
      gates,
      own,
      io,
      interrupted.signal.aborted,
    )
  } catch (error) {
    if (interrupted.signal.aborted) return INTERRUPTED
    if (ended.signal.aborted)
      throw new InvalidOption(`The command takes longer than --minutes ${minutes} without any mutant.`)
    throw error
  } finally {
    clearTimeout(late)
  }
}

async function conclude(
  findings: Findings,
  gates: MutantGates,
  flags: OwnFlags,
  io: Io,
  cut: boolean,
): Promise<number> {
  const failures = cut ? [] : mutantFailures(findings.mutants, gates)
  const report = mutantsReport(findings, failures)
  io.out(terminalText(report))
  const files = { json: () => jsonText(report), junit: () => junitText(report) }
  const unwritten = await writeReports(flags, files, (most) => markdownText(report, most), io)
  tellUnwritten(unwritten, io)
  if (!cut) await keepLastRun(io.folder, findings)
  if (failures.length > 0) io.err(findingLines(report))
  annotate([...annotationsOf(report), ...unwrittenAsAnnotations(unwritten)], io.err, io)
  if (cut) return INTERRUPTED
  return failures.length === 0 && unwritten.asked.length === 0 ? 0 : 1
}

function progress(known: readonly Finding[], all: number, each: number): string {
  const [noticed, unnoticed] = (['noticed', 'unnoticed'] as const).map(
    (state) => known.filter((one) => one.state === state).length,
  )
  return `${known.length} of ${all}: ${noticed} noticed, ${unnoticed} unnoticed, ${seconds((all - known.length) * each)} left`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}

function whole(own: OwnFlags, flag: string, otherwise: number): number {
  const given = own[flag]
  if (given === undefined) return otherwise
  if (typeof given === 'string' && /^[1-9]\d{0,5}$/.test(given)) return Number(given)
  throw new InvalidOption(`--${flag} must be a whole number from 1, not ${quote(given)}.`)
}

function minutesOf({ minutes = '10' }: OwnFlags): number {
  if (typeof minutes === 'string' && /^\d{1,5}(\.\d+)?$/.test(minutes) && Number(minutes) > 0) return Number(minutes)
  throw new InvalidOption(`--minutes must be a number above 0, such as 2.5, not ${quote(minutes)}.`)
}

async function readGates(own: OwnFlags, io: Io): Promise<MutantGates> {
  const failOn = own['fail-on']
  if (failOn !== undefined && failOn !== 'unnoticed')
    throw new InvalidOption(`--fail-on takes 'unnoticed' alone, not ${quote(failOn)}.`)
  const least = own['min-noticed']
  return {
    failOn: failOn === undefined ? [] : ['unnoticed'],
    minNoticed: least === undefined ? undefined : percentage('min-noticed', least),
    baseline: typeof own.baseline === 'string' ? await readBaseline(io, own.baseline) : undefined,
  }
}

/** The mutants that an earlier run noticed, by the file that its `--json` wrote. */
async function readBaseline(io: Io, name: string): Promise<ReadonlySet<string>> {
  try {
    const { mutants } = JSON.parse(await readFile(namedFile(io, name), 'utf8')) as Pick<Findings, 'mutants'>
    return new Set(mutants.filter(({ state }) => state === 'noticed').map(({ id }) => id))
  } catch (error) {
    throw new InvalidOption(
      `--baseline ${quote(name)} is not a file that 'countersign mutate --json' wrote: ${(error as Error).message}.`,
    )
  }
}

function exceptedOf({ excepted }: Settings, isKnown: (id: string) => boolean): readonly Excepted[] {
  const strange = excepted.find(({ mutant }) => !isKnown(mutant))
  if (strange === undefined) return excepted
  throw new InvalidOption(
    `mutate.except in the config file names no mutant: ${quote(strange.mutant)}. 'countersign list mutants' shows them all.`,
  )
}
