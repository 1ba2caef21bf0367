/** How often an outcome was met, and by which causes. */
interface OutcomeCount {
  count: number
  readonly causes: Record<string, number>
}

/** The counts by outcome id. */
export type OutcomeCounts = Record<string, OutcomeCount>

/** Counts an outcome that was met. */
export function countOutcome(counts: OutcomeCounts, outcome: string, cause: string, times = 1): void {
  let known = counts[outcome]
  if (known === undefined) {
    known = { count: 0, causes: {} }
    counts[outcome] = known
  }
  known.count += times
  known.causes[cause] = (known.causes[cause] ?? 0) + times
}

/** Adds counts to others. */
export function addOutcomeCounts(sum: OutcomeCounts, counts: Readonly<OutcomeCounts>): void {
  for (const [outcome, { causes }] of Object.entries(counts)) {
    for (const [cause, times] of Object.entries(causes)) countOutcome(sum, outcome, cause, times)
  }
}
