import type { Cite, Cites } from '../../engine/contract/cites.js'
import type { Contract } from '../../engine/contract/contract.js'

export interface PlainAnswer {
  readonly status: number
  readonly body: unknown
}

export interface AlteredCall {
  readonly contract: Contract
  /** Path variables, query parameters and fields of the body, by name. */
  readonly sent: Readonly<Record<string, unknown>>
}

/** What a suite looks at, or does not. */
export type MutantKind = 'statuses' | 'values' | 'effects' | 'order and pages'

export interface Alteration {
  readonly kind: MutantKind
  /** The path of a field in the body, the `answer` as a whole or the `effect`. */
  readonly place: string
  readonly operator: string
  /** The statements that the altered answer breaks; none if the document leaves it open. */
  readonly cites: readonly Cite[]
  /** The altered answer; an equal one where there is nothing to alter in it. */
  readonly alter: (answer: PlainAnswer, asked: AlteredCall) => PlainAnswer
  /** `none`: the state stays as it is; `hidden`: it changes, though the answer denies it. By default, the operation decides. */
  readonly effect?: 'none' | 'hidden'
  /** The query that the operation gets in place of the one that was sent. */
  readonly query?: (query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** One documented thing made untrue: an alteration of one outcome's answers. */
export interface Mutant extends Alteration {
  /** `outcome/place/operator`; the same in every run. */
  readonly id: string
  readonly operation: string
  /** The outcome and status before they are altered. */
  readonly outcome: string
  readonly status: number
  readonly cites: Cites
}
