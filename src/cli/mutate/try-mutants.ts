import type { Candidate } from '../../coverage/mutants/candidates.js'
import { type Finding, findingOf } from '../../coverage/mutants/findings.js'
import { runSuite, type Suite } from './run-suite.js'

/** How often the control's time a run may take. */
const PATIENCE = 10
/** Milliseconds that any run may take. */
const LEAST = 5_000

export interface Trials {
  readonly jobs: number
  /** Milliseconds that the control took. */
  readonly usual: number
  readonly onFinding: (findings: readonly Finding[]) => void
}

/**
 * Runs a suite once for each mutant, some at a time; resolves with what became of each, in their order. What the suite's
 * signal cuts off is left out.
 */
export async function tryMutants(
  suite: Suite,
  candidates: readonly Candidate[],
  { jobs, usual, onFinding }: Trials,
): Promise<readonly Finding[]> {
  const found: (Finding | undefined)[] = candidates.map(() => undefined)
  const known = () => found.filter((one) => one !== undefined)
  const queue = [...candidates.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined && !suite.signal.aborted; next = queue.shift()) {
      const [at, candidate] = next
      const { code, met, timeout } = await runSuite(suite, candidate.mutant.id, Math.max(LEAST, PATIENCE * usual))
      if (suite.signal.aborted) return
      found[at] = findingOf(candidate, met ? (code === 0 ? 'unnoticed' : 'noticed') : 'notMet', timeout)
      onFinding(known())
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
  return known()
}
