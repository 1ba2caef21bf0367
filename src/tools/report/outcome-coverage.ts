import type { Provenance } from '../../engine/contract/contract.js'

export interface OutcomeCoverage {
  readonly outcome: string
  readonly count: number
  readonly provenance: Provenance
  /** How often the outcome was met, by cause. */
  readonly causes: Readonly<Record<string, number>>
  /** Present if the client or a scenario asked for it each time. */
  readonly forced?: true
}

/** Which of the declared outcomes were met. */
export interface Coverage {
  readonly covered: number
  readonly total: number
  readonly outcomes: readonly OutcomeCoverage[]
}
