import type { Provenance } from '../../engine/contract/contract.js'

export interface OutcomeCoverage {
  readonly outcome: string
  readonly count: number
  readonly provenance: Provenance
  readonly causes: Readonly<Record<string, number>>
  /** True if it was forced each time. */
  readonly forced?: true
}

export interface Coverage {
  readonly covered: number
  readonly total: number
  readonly outcomes: readonly OutcomeCoverage[]
}
