import type { Contract } from '../../../schemas/contract.js'
import type { Candidate } from '../../coverage/mutants/candidates.js'
import { InvalidOption } from '../../server/invalid-option.js'
import { runSuite, type Suite, type SuiteRun } from './run-suite.js'

/** What a suite does without a mutant. */
export interface Control {
  readonly candidates: readonly Candidate[]
  /** Milliseconds of each run. */
  readonly durations: readonly number[]
}

/**
 * Runs a suite twice: first alone, then as often at once as mutants will be.
 * @throws {InvalidOption} where it fails, is not the same twice, or meets nothing
 */
export async function runControl(suite: Suite, contracts: readonly Contract[], jobs: number): Promise<Control> {
  const first = await runSuite(suite)
  requireGreen(first, 'The command fails without any mutant. Mend it first.')
  if (first.candidates.outcomes.size === 0)
    throw new InvalidOption(
      'The command called no operation. Make the client call the base URL in COUNTERSIGN_URL, which is another one in each run.',
    )
  const others = await Promise.all(Array.from({ length: jobs }, () => runSuite(suite)))
  for (const other of others) {
    const why =
      jobs === 1
        ? 'The command succeeds in one run and fails in the next. Mend it first.'
        : `The command succeeds alone and fails where ${jobs} run at once: they collide, as over a port or a file. Use --jobs 1, or see below what collides.`
    requireGreen(other, why)
    requireSame(first, other)
  }
  const all = [first, ...others]
  const inAll = ({ mutant }: Candidate) => all.every(({ candidates }) => candidates.has(mutant.id))
  return {
    candidates: first.candidates.all(contracts).filter(inAll),
    durations: all.map(({ duration }) => Math.round(duration)),
  }
}

function requireGreen({ code, failure = '', output }: SuiteRun, why: string): void {
  if (code === 0) return
  const printed = output.trim() === '' ? '' : `\n\n${output.trim()}`
  throw new InvalidOption(`${why} ${failure}${printed}`)
}

function requireSame(first: SuiteRun, other: SuiteRun): void {
  const [one, two] = [first, other].map(({ candidates }) => [...candidates.outcomes.keys()])
  const alone = (own: readonly string[], others: readonly string[]) => own.filter((name) => !others.includes(name))
  const differences = [...alone(one!, two!), ...alone(two!, one!)].sort()
  if (differences.length === 0) return
  throw new InvalidOption(
    `The command does not call the same twice: only one of two runs met ${differences.join(', ')}. A suite that differs from run to run cannot be measured.`,
  )
}
