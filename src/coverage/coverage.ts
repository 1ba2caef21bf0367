import { type Contract, outcomeId, type Provenance, statusesOf } from '../../schemas/contract.js'

/** How often each outcome was met, and by which causes. */
export type Tallies = ReadonlyMap<string, { readonly count: number; readonly causes: ReadonlyMap<string, number> }>

export interface OutcomeCoverage {
  readonly outcome: string
  readonly count: number
  readonly provenance: Provenance
  /** cause → count. */
  readonly causes: Readonly<Record<string, number>>
}

/** Which of the declared outcomes were met. */
export interface Coverage {
  /** Outcomes that were met at least once. */
  readonly covered: number
  /** Outcomes that are declared. */
  readonly total: number
  readonly outcomes: readonly OutcomeCoverage[]
}

/** Adds up what some worlds have met, over every declared outcome. */
export function coverageOf(contracts: readonly Contract[], tallies: readonly Tallies[]): Coverage {
  const outcomes = contracts.flatMap((contract) =>
    statusesOf(contract).map((status) => {
      const outcome = outcomeId(contract, status)
      const causes: Record<string, number> = {}
      let count = 0
      for (const tally of tallies.map((one) => one.get(outcome))) {
        count += tally?.count ?? 0
        for (const [cause, times] of tally?.causes ?? []) causes[cause] = (causes[cause] ?? 0) + times
      }
      return { outcome, count, provenance: contract.responses[status]!.provenance, causes }
    }),
  )
  return { covered: outcomes.filter(({ count }) => count > 0).length, total: outcomes.length, outcomes }
}
