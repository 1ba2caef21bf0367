import type { Api } from '../engine/api.js'
import type { Contract } from '../engine/contract/contract.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { createServer } from '../server/create-server.js'
import { MUTANT } from '../server/options.js'
import type { Settings } from '../server/settings.js'
import { type Candidate, Candidates } from '../tools/mutate/candidates.js'
import { type MutantResult, resultOf } from '../tools/mutate/results.js'
import { type CommandLine, runChild, suiteEnvironment } from './child.js'
import type { Io } from './command.js'

export interface Suite {
  readonly api: Api
  readonly command: CommandLine
  readonly settings: Settings
  readonly io: Io
  readonly signal: AbortSignal
}

const NO_LIMIT = 2 ** 31 - 1

type SuiteRun = Awaited<ReturnType<typeof runSuite>>

async function runSuite({ api, command, settings, io, signal }: Suite, mutant?: string, limit = NO_LIMIT) {
  const candidates = new Candidates()
  let isMet = false
  // Each run begins with the same data.
  const runSettings = { ...settings, persist: undefined, port: 0, watch: false }
  const onAltered = () => {
    isMet = true
  }
  const run = mutant === undefined ? undefined : { mutant, onAltered }
  const server = await createServer(api, runSettings, { run })
  if (mutant === undefined) server.sandboxes.on('exchange', (exchange) => candidates.add(exchange))
  try {
    // Reporters must not annotate the build with the failures of a mutant's run.
    const variables = Object.entries(io.environment).filter(([name]) => !GITHUB_VARIABLES.includes(name))
    const environment = { ...Object.fromEntries(variables), [MUTANT]: mutant ?? '' }
    const env = suiteEnvironment(await server.listen(), server, environment)
    const start = performance.now()
    const timeout = AbortSignal.timeout(limit)
    const exit = await runChild(command, env, io, AbortSignal.any([signal, timeout]))
    return { ...exit, candidates, isMet, duration: performance.now() - start, hasTimedOut: timeout.aborted }
  } finally {
    await server.close()
  }
}

/** Variables by which reporters recognise GitHub Actions, or write to it. */
const GITHUB_VARIABLES = ['STEP_SUMMARY', 'OUTPUT', 'ENV', 'PATH', 'ACTIONS'].map((name) => `GITHUB_${name}`)

/** @throws {InvalidOption} if the suite cannot be measured */
export async function runControl(suite: Suite, contracts: readonly Contract[], jobs: number) {
  const first = await runSuite(suite)
  requireSuccess(first, 'The command fails without any mutant. Fix it first.')
  if (first.candidates.outcomes.size === 0)
    throw new InvalidOption(
      'The command called no operation. Make the client call the base URL in COUNTERSIGN_URL, which differs in each run.',
    )
  const others = await Promise.all(Array.from({ length: jobs }, () => runSuite(suite)))
  for (const other of others) {
    const reason =
      jobs === 1
        ? 'The command succeeds in one run and fails in the next. Fix it first.'
        : `The command succeeds alone and fails when ${jobs} run at once: the runs probably share a port or a file. Use --jobs 1, or fix the conflict.`
    requireSuccess(other, reason)
    requireSameOutcomes(first.candidates.outcomes, other.candidates.outcomes)
  }
  const runs = [first, ...others]
  return {
    candidates: first.candidates
      .all(contracts)
      .filter(({ mutant }) => runs.every(({ candidates }) => candidates.byId.has(mutant.id))),
    durations: runs.map(({ duration }) => Math.round(duration)),
  }
}

function requireSuccess({ code, failure = '', output, hasTimedOut }: SuiteRun, reason: string): void {
  if (code === 0) return
  const printed = output.trim() === '' ? '' : `\n\n${output.trim()}`
  throw new InvalidOption(`${reason} ${hasTimedOut ? 'It took too long.' : failure}${printed}`)
}

function requireSameOutcomes(first: ReadonlySet<string>, second: ReadonlySet<string>): void {
  const differences = [...first, ...second].filter((name) => !first.has(name) || !second.has(name)).sort()
  if (differences.length === 0) return
  throw new InvalidOption(
    `Two runs without a mutant got different outcomes. Only one got: ${differences.join(', ')}. A suite that differs from run to run cannot be measured.`,
  )
}

/** A mutant may take this many times as long as the control. */
const TIMEOUT_FACTOR = 10
/** Milliseconds. */
const SHORTEST_LIMIT = 5_000

/** Mutants between two control runs, which are runs without a mutant. */
const MUTANTS_PER_ROUND = 10

/**
 * Noticed mutants are tried again if a control run failed. `slowestControl`: milliseconds.
 * @throws {InvalidOption} if the unaltered suite fails twice
 */
export async function tryMutants(
  suite: Suite,
  candidates: readonly Candidate[],
  jobs: number,
  slowestControl: number,
  onResult: (results: readonly MutantResult[]) => void,
) {
  const byCandidate = new Map<Candidate, MutantResult>()
  const results = () => candidates.flatMap((candidate) => byCandidate.get(candidate) ?? [])
  const limit = Math.max(SHORTEST_LIMIT, TIMEOUT_FACTOR * slowestControl)
  const tryOne = async (candidate: Candidate) => {
    const { code, isMet, hasTimedOut } = await runSuite(suite, candidate.mutant.id, limit)
    if (suite.signal.aborted) return
    const state = isMet ? (code === 0 ? 'unnoticed' : 'noticed') : 'notMet'
    byCandidate.set(candidate, resultOf(candidate, state, hasTimedOut, suite.api))
    onResult(results())
  }
  /** Unaltered runs that failed, but passed when repeated. */
  let failedControls = 0
  for (let at = 0; at < candidates.length && !suite.signal.aborted; at += MUTANTS_PER_ROUND) {
    await inParallel(candidates.slice(at, at + MUTANTS_PER_ROUND), jobs, suite.signal, tryOne)
    if (!(await passesControl(suite, limit))) failedControls++
  }
  const doubtful = candidates.filter((one) => failedControls > 0 && byCandidate.get(one)?.state === 'noticed')
  await inParallel(doubtful, jobs, suite.signal, tryOne)
  return { results: results(), failedControls }
}

async function inParallel<T>(all: readonly T[], jobs: number, signal: AbortSignal, run: (one: T) => Promise<void>) {
  const queue = [...all]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined && !signal.aborted; next = queue.shift()) await run(next)
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}

/** Returns false if the suite failed, but passed when repeated. @throws {InvalidOption} if it failed twice */
async function passesControl(suite: Suite, limit: number): Promise<boolean> {
  if (suite.signal.aborted) return true
  const { code } = await runSuite(suite, undefined, limit)
  if (suite.signal.aborted || code === 0) return true
  const second = await runSuite(suite, undefined, limit)
  const reason = 'The command now fails without any mutant, so the results of earlier mutants cannot be trusted.'
  if (!suite.signal.aborted) requireSuccess(second, reason)
  return false
}
