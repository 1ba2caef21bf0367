import type { Cite, Cites } from '../../engine/contract/cites.js'
import type { Contract } from '../../engine/contract/contract.js'

export interface PlainAnswer {
  readonly status: number
  readonly body: unknown
}

export interface AnsweredCall {
  readonly contract: Contract
  /** By name, from path, query and body. */
  readonly sent: Readonly<Record<string, unknown>>
}

export type MutantKind = 'statuses' | 'values' | 'effects' | 'order and pages'

export interface Alteration {
  readonly kind: MutantKind
  /** A field's path, `answer` or `effect`. */
  readonly place: string
  readonly operator: string
  readonly cites: readonly Cite[]
  /** Returns an equal answer if nothing can be altered. */
  readonly alter: (answer: PlainAnswer, call: AnsweredCall) => PlainAnswer
  /** `none`: no change of the state; `hidden`: the state changes, but the answer is an error. */
  readonly effect?: 'none' | 'hidden'
  /** Replaces the query that the operation gets. */
  readonly query?: (query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

export interface Mutant extends Alteration {
  readonly id: string
  readonly operation: string
  readonly outcome: string
  readonly status: number
  readonly cites: Cites
}
