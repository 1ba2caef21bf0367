import { readFile } from 'node:fs/promises'
import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { drawn } from '../coverage/mutants/candidates.js'
import type { Excepted, Finding, Findings } from '../coverage/mutants/findings.js'
import { keepLastRun } from '../coverage/mutants/last-run.js'
import { mutantNamed } from '../coverage/mutants/mutants.js'
import { type MutantGates, mutantFailures, mutantsReport } from '../coverage/mutants/report.js'
import { InvalidOption } from '../server/invalid-option.js'
import { optionNames } from '../server/options.js'
import { junitText } from '../text/junit.js'
import { markdownText } from '../text/markdown.js'
import { annotationsOf, findingLines, jsonText, terminalText } from '../text/report.js'
import { quote } from '../text/wording.js'
import type { Settings } from '../world/settings.js'
import { annotate } from './annotate.js'
import { withUsableFiles } from './check-files.js'
import { type CliCommand, type Given, type Io, WrongUse } from './command.js'
import { flag, percentage, someOf, wholeNumber } from './flags.js'
import { runControl } from './mutate/control.js'
import { tryMutants } from './mutate/try-mutants.js'
import { namedFile } from './named-files.js'
import { readSettings } from './read-settings.js'
import { IN_GITHUB_ACTIONS, requireSuite } from './suite.js'
import { requireWritable } from './write-file.js'
import { tellUnwritten, unwrittenAsAnnotations, writeReports } from './write-reports.js'

const INTERRUPTED = 130

interface Flags {
  readonly count: number
  readonly minutes: number
  readonly jobs: number
  readonly only?: readonly string[]
  readonly minNoticed?: number
  readonly failOn?: readonly string[]
  readonly baseline?: string
  readonly json?: string
  readonly junit?: string
  readonly summary?: string
}

/** Measures a suite: runs it once for each of some mutants, and tells which of them it did not notice. */
export const command: CliCommand = {
  misuse: 2,
  runsAnother: true,
  about: `Measures a test suite: would it notice if the API were otherwise? Runs the command twice as it is, then once for each of some mutants. A mutant makes one documented thing untrue, such as a field that is missing or an invitation that is not sent. If the command then succeeds, no test looks at that.

Each run has a server and a world of its own, on a free port in COUNTERSIGN_URL. What the document leaves open is never altered.

${IN_GITHUB_ACTIONS}`,
  flags: [
    flag('--count <N>', 'How many mutants to try at most.', wholeNumber(1)).default(50),
    flag('--minutes <N>', 'How many minutes to take at most, the first two runs included.', minutesIn).default(10),
    flag('--jobs <N>', 'How many runs at once. Each has a port of its own in COUNTERSIGN_URL.', wholeNumber(1)).default(
      1,
    ),
    flag(
      '--only <OPERATIONS>',
      'Alter the answers of these operations alone, comma-separated.',
      someOf(documented.map(({ id }) => id)),
    ),
    flag('--min-noticed <PERCENT>', 'Percentage of the mutants that must be noticed, from 0 to 100.', percentage),
    flag('--fail-on <unnoticed>', 'Fail if a mutant is unnoticed.', someOf(['unnoticed'])),
    flag('--baseline <FILE>', 'Fail if a mutant is unnoticed that was noticed in this earlier --json report.'),
    flag('--json <FILE>', 'Write what became of each mutant as JSON.'),
    flag('--junit <FILE>', 'Write each mutant as a JUnit test case.'),
    flag('--summary <FILE>', 'Write what was unnoticed as markdown.'),
  ],
  options: optionNames.filter(
    (name) => !['port', 'watch', 'persist', 'provider', 'providerToken', 'fallback'].includes(name),
  ),
  meanings: { seed: 'Which mutants are drawn, and what else chance decides.' },
  sections: {
    'In the config file': 'mutate.except lists mutants that are not tried, each with the reason why.',
    'One mutant, in a debugger':
      'With COUNTERSIGN_MUTANT=ID in the environment, exec runs the command once with that mutant.',
    'Exit status': `
0    all gates passed, or none was set
1    a gate failed, or a report could not be written at the end
2    the command fails as it is, differs from run to run or calls nothing; or the command line or a file is invalid,
     or a report has no place
130  interrupted with Ctrl-C; what was known by then is printed`,
    Examples: `
countersign mutate --count 10 --seed 7 -- npm test
countersign mutate --count 20 --jobs 2 --only addOrganizationMember -- npm test
countersign mutate --count 10 --min-noticed 50 --json mutants.json -- npm test
countersign mutate --count 10 --baseline mutants.json -- npm test`,
  },
  async run({ options, flags, words, rest }: Given<Flags>, io) {
    const command = requireSuite('mutate', words, rest)
    const settings = await withUsableFiles(options, io, () => readSettings(options, io))
    if (settings.provider !== undefined)
      throw new InvalidOption('A mutant alters answers of the mock alone: leave --provider out.')
    const contracts = contractsUnder(documented, settings.readings)
    const { count, jobs, minutes, only } = flags
    const gates = await readGates(flags, io)
    const excepted = exceptedOf(settings, (id) => mutantNamed(id, contracts) !== undefined)
    await requireWritable(
      io,
      [flags.json, flags.junit, flags.summary].filter((file) => file !== undefined),
    )

    const began = performance.now()
    const [interrupted, ended] = [new AbortController(), new AbortController()]
    void io.stopped?.then(() => interrupted.abort())
    const late = setTimeout(() => ended.abort(), minutes * 60_000)
    const suite = { command, settings, io, signal: AbortSignal.any([interrupted.signal, ended.signal]) }
    try {
      const control = await runControl(suite, contracts, jobs)
      const left = control.candidates.filter(
        ({ mutant }) => (only?.includes(mutant.operation) ?? true) && !excepted.some((one) => one.mutant === mutant.id),
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
        flags,
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
  },
}

async function conclude(findings: Findings, gates: MutantGates, flags: Flags, io: Io, cut: boolean): Promise<number> {
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

function minutesIn(text: string, source: string): number {
  if (/^\d{1,5}(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text)
  throw new WrongUse(`${source} must be a number above 0, such as 2.5, not ${quote(text)}.`)
}

async function readGates({ failOn = [], minNoticed, baseline }: Flags, io: Io): Promise<MutantGates> {
  return {
    failOn: failOn.length === 0 ? [] : ['unnoticed'],
    minNoticed,
    baseline: baseline === undefined ? undefined : await readBaseline(io, baseline),
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
