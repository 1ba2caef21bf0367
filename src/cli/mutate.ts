import { constants } from 'node:os'
import { resolve } from 'node:path'
import { type Api, applySwitches, contractsOf } from '../engine/api.js'
import { quote } from '../engine/contract/wording.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { optionNames } from '../server/options.js'
import { destinationOf, toolOptions } from '../server/tools.js'
import { drawMutants } from '../tools/mutate/candidates.js'
import { hasGate, type MutantResult, markAccepted, mutantFailures, mutantsReport } from '../tools/mutate/results.js'
import { exceptedMutants, matchesMutant, readAccepted } from '../tools/mutate/settings.js'
import { findingLines, terminalText } from '../tools/report/report.js'
import { requireCommandLine } from './child.js'
import type { CliCommand, CommandInput } from './command.js'
import { writeTextFile } from './files.js'
import { flag, listFlag, numberIn, percentage, subsetOf } from './flags.js'
import { runControl, tryMutants } from './mutate-runs.js'
import { GITHUB_ACTIONS_HELP, publishReport, reportFlags, setUpRun } from './publish-report.js'
import { checkConfigOfTools } from './validate.js'

/** Milliseconds between two lines of progress without a terminal. */
const PROGRESS_INTERVAL = 10_000

const flagsFor = (api: Api) => ({
  count: flag('<N>', 'How many mutants to try at most.', numberIn(1, 100_000), 50),
  minutes: flag(
    '<N>',
    'How many minutes to take at most, the unaltered runs included.',
    numberIn(0.01, 9_999, true),
    10,
  ),
  jobs: flag(
    '<N>',
    'How many runs at once. Each has its own server, whose URL is in COUNTERSIGN_URL.',
    numberIn(1, 100),
    1,
  ),
  only: listFlag(
    '<OPERATIONS>',
    'Alter only the answers of these operations, comma-separated.',
    subsetOf(contractsOf(api).map(({ id }) => id)),
  ),
  minNoticed: flag('<PERCENT>', 'Percentage of the mutants that must be noticed, from 0 to 100.', percentage),
  failOn: listFlag(
    '<unnoticed>',
    'Fail if a mutant is unnoticed, or if the suite requested no altered answer.',
    subsetOf(['unnoticed'] as const),
  ),
  accept: flag('<FILE>', 'Let --fail-on pass the unnoticed mutants that this file lists.'),
  writeAccepted: flag('<FILE>', 'Write the unnoticed mutants to a file for --accept.'),
  json: flag('<FILE>', 'Write the result of each mutant as JSON.'),
  ...reportFlags,
})

export const command = (api: Api): CliCommand => ({
  invalidInputStatus: 2,
  startsServer: true,
  runsChild: true,
  about: `Checks what your tests look at: runs them against answers that each break one sentence of the API document (mutants), such as a field that is missing or a mail that is not sent. If the tests still pass, none of them checks that sentence.

It first runs the command without a mutant: once alone, then --jobs times at once. It repeats such a run after every tenth mutant and after the last. Each run has its own server with fresh data, on a free port in COUNTERSIGN_URL. What the API document leaves open is never altered.

${GITHUB_ACTIONS_HELP}`,
  flags: flagsFor(api),
  options: optionNames.filter((name) => !['port', 'watch', 'persist', ...Object.keys(toolOptions)].includes(name)),
  optionHelp: { seed: 'Seed for the choice of mutants, ids, random draws and delays.' },
  sections: {
    'In the config file': 'mutate.except lists mutants that are not tried, each with a reason.',
    'Environment variables set for the command, besides those that exec sets': `
COUNTERSIGN_MUTANT  the mutant's id; empty in runs without one. Variables that let reporters write to GitHub Actions
                    are removed`,
    'One mutant, in a debugger': "'npx countersign exec --scenario mutant:ID' runs the command once with that mutant.",
    'Exit status': `
0    all gates passed, or none was set
1    a gate failed, or was not judged because --minutes ended the run; or a report could not be written at the end
2    the command fails without a mutant (later: twice in a row), gets different outcomes in another run,
     or sends no request; or the command line or a file is invalid, or a report file cannot be created
130  interrupted with Ctrl-C, after a report of the results so far (143 after SIGTERM)`,
    Examples: `
npx countersign mutate --count 20 --jobs 2 --only ${api.sampleOutcome.split(':')[0]} -- npm test
npx countersign mutate --count 10 --min-noticed 50 --json mutants.json -- npm test`,
  },
  async run({ options, flags, operands, rest }: CommandInput<ReturnType<typeof flagsFor>>, io) {
    const command = requireCommandLine('mutate', operands, rest)
    const { writeAccepted } = flags
    const settings = await setUpRun(api, io, options, flags, { output: writeAccepted, input: flags.accept })
    const destination = destinationOf(settings)
    if (destination !== undefined)
      throw new InvalidOption(`mutate alters only the mock's own answers: remove ${destination.name}.`)
    const contracts = contractsOf(applySwitches(api, settings.switches))
    const { count, jobs, minutes, only = contracts.map(({ id }) => id), failOn = [], minNoticed } = flags
    const { seed } = settings
    const excepted = exceptedMutants(settings)
    await checkConfigOfTools(settings, contracts)
    const accepted = flags.accept === undefined ? [] : await readAccepted(resolve(io.folder, flags.accept), contracts)

    const start = performance.now()
    const interrupted = new AbortController()
    let status = 0
    void io.waitForSignal('SIGINT', 'SIGTERM', 'SIGHUP').then((signal) => {
      status = 128 + constants.signals[signal]
      interrupted.abort()
    })
    const deadline = AbortSignal.timeout(Math.ceil(minutes * 60_000))
    const suite = { api, command, settings, io, signal: AbortSignal.any([interrupted.signal, deadline]) }
    let progress = 'running the command without any mutant'
    const progressTimer = setInterval(() => {
      if (io.progress === undefined) io.err(`${seconds(performance.now() - start)}: ${progress}`)
    }, PROGRESS_INTERVAL)
    try {
      const control = await runControl(suite, contracts, jobs)
      const selected = control.candidates.filter(({ mutant }) => only.includes(mutant.operation))
      const isExcepted = (id: string) => excepted.some(({ mutant: pattern }) => matchesMutant(pattern, id))
      const candidates = selected.filter(({ mutant }) => !isExcepted(mutant.id))
      if (selected.length === 0 && flags.only !== undefined)
        throw new InvalidOption(`No mutant applies to the answers from ${only.join(', ')}. Change --only.`)
      const trials = drawMutants(candidates, seed).slice(0, count)
      const slowest = Math.max(...control.durations)
      const trialsInTime = Math.floor(((minutes * 60_000 - (performance.now() - start)) / slowest) * jobs)
      const limit = trialsInTime < trials.length ? ` About ${trialsInTime} fit into the time left.` : ''
      io.err(
        `The suite takes up to ${seconds(slowest)}. ${candidates.length} mutants apply to the answers it got; trying ${trials.length} (seed ${quote(seed)}).${limit}`,
      )
      progress = 'no mutant tried yet'
      const { results, failedControls } = await tryMutants(suite, trials, jobs, slowest, (resultsSoFar) => {
        progress = describeProgress(resultsSoFar, trials.length, slowest / jobs)
        io.progress?.(progress)
      })
      io.progress?.('')
      const durations = { control: control.durations, all: Math.round(performance.now() - start) }
      const isIncomplete = suite.signal.aborted
      const mutants = results.map((result) => markAccepted(result, accepted))
      const gates = { failOn, minNoticed }
      const failures = isIncomplete ? [] : mutantFailures(mutants, gates)
      const notes = [
        isIncomplete &&
          `${interrupted.signal.aborted ? 'A signal' : `--minutes ${minutes}`} ended the run after ${mutants.length} of ${trials.length} mutants; no gate was judged.`,
        failedControls > 0 &&
          `The command sometimes fails without a mutant (failed control runs: ${failedControls}): a mutant counts as noticed only if two runs fail.`,
      ].filter((note) => note !== false)
      const report = mutantsReport({ seed, mutants, excepted, durations }, failures, notes)
      io.out(terminalText(report))
      if (failures.length > 0) io.err(findingLines(report))
      const isWritten = await publishReport(report, flags, io, io.err)
      if (writeAccepted !== undefined && !isIncomplete) {
        const unnoticed = mutants.filter(({ state }) => state === 'unnoticed').map(({ id }) => id)
        const text = JSON.stringify({ version: 1, accepted: unnoticed }, null, 2)
        await writeTextFile(io, writeAccepted, `${text}\n`)
      }
      if (interrupted.signal.aborted) return status
      const isUnjudged = isIncomplete && hasGate(gates)
      return isUnjudged || failures.length > 0 || !isWritten ? 1 : 0
    } catch (error) {
      if (interrupted.signal.aborted) return status
      if (deadline.aborted)
        throw new InvalidOption(`The runs without a mutant take longer than --minutes ${minutes}. Raise it.`)
      throw error
    } finally {
      clearInterval(progressTimer)
    }
  },
})

function describeProgress(results: readonly MutantResult[], total: number, timePerMutant: number): string {
  const countOf = (wanted: MutantResult['state']) => results.filter(({ state }) => state === wanted).length
  const timeLeft = seconds((total - results.length) * timePerMutant)
  return `${results.length} of ${total}: ${countOf('noticed')} noticed, ${countOf('unnoticed')} unnoticed, ${timeLeft} left`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
