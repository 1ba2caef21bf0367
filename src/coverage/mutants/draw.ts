import { groupBy } from '../../text/group-by.js'
import { seededDraws } from '../../world/seeded.js'
import type { Candidate } from './candidates.js'

/**
 * The mutants in the order in which they are tried: spread over operations first, then over outcomes, then over
 * operators. The same seed gives the same order.
 */
export function drawn(candidates: readonly Candidate[], seed: string): readonly Candidate[] {
  const draw = seededDraws(seed, 'mutate')
  const keys = candidates.map((candidate) => ({ candidate, key: draw() }))
  const shuffled = keys.sort((one, other) => one.key - other.key).map(({ candidate }) => candidate)
  return spread(shuffled, [
    ({ mutant }) => mutant.operation,
    ({ mutant }) => mutant.outcome,
    ({ mutant }) => mutant.operator,
  ])
}

type KeyOf = (candidate: Candidate) => string

/** One of each group in turn; each group is spread by the keys that are left. */
function spread(all: readonly Candidate[], [keyOf, ...others]: readonly KeyOf[]): readonly Candidate[] {
  if (keyOf === undefined) return all
  const queues = [...groupBy(all, keyOf).values()].map((group) => spread(group, others))
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue[at] ?? [])).flat()
}
