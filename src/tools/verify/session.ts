import type { TSchema } from '@sinclair/typebox'
import type { Api } from '../../engine/api.js'
import type { Cite, Cites, InterpretationCite, StatementCite } from '../../engine/contract/cites.js'
import type { Contract } from '../../engine/contract/contract.js'
import type { TestData } from './calls.js'
import { Shapes } from './interpretations/shapes.js'
import type { Sender } from './sender.js'

export interface VerifyFacts {
  readonly operations: Readonly<Record<string, OperationFacts | undefined>>
  /** In lower case with spaces; reports may quote these words, which are no personal data. */
  readonly vocabulary: readonly string[]
  /** Orders the checks of a call. */
  readonly checkOrder?: InterpretationCite
  /** Statements that hold where an operation exists. */
  readonly shownByPaths: readonly Cite[]
}

export interface OperationFacts {
  /** Statements that only checks show, although fields cite them. */
  readonly shownByChecks?: readonly Cite[]
  readonly unverifiable?: Readonly<Record<StatementCite, string>>
  /** Further keys of its part of the data file. */
  readonly data?: Readonly<Record<string, TSchema>>
  /** Statuses for unknown data; by default 404 and 422. */
  readonly unknownData?: readonly number[]
  readonly record?: string
  /** Lets a call without fields succeed. */
  readonly emptyForm?: InterpretationCite
}

/** `differs`: from an interpretation. */
export type FindingState = 'ok' | 'drift' | 'differs' | 'unchecked'

export interface VerifyFinding {
  readonly state: FindingState
  readonly cites: Cites
  readonly operation: string
  readonly where: string
  readonly message: string
  readonly count: number
  readonly of: number
  /** The statement cannot be ok with this finding. */
  readonly preventsOk?: true
  /** A further option would check it. */
  readonly lacksOption?: boolean
  readonly switch?: string
}

export interface SwitchEvidence {
  readonly name: string
  readonly contract: Contract
  readonly value: unknown
  /** Without data: `404 {error: {code: integer, message: text}}`. */
  readonly shown: string
}

export interface SwitchResult {
  readonly name: string
  readonly interpretation: InterpretationCite
  readonly evidence: readonly SwitchEvidence[]
  /** Undefined for the default. */
  readonly value: unknown
  readonly undecided?: string
}

export class Session {
  readonly shapes: Shapes
  readonly findings = new Map<string, VerifyFinding>()
  readonly additional = new Map<string, Pick<VerifyFinding, 'operation' | 'where'> & { readonly type: string }>()
  readonly leftovers = new Set<string>()
  readonly evidence: SwitchEvidence[] = []
  switches: readonly SwitchResult[] = []
  readonly withExamples = new Set<string>()
  /** Reasons why something could not be judged. */
  readonly unavailable = new Set<string>()

  constructor(
    readonly api: Api,
    readonly facts: VerifyFacts,
    readonly contracts: readonly Contract[],
    readonly sender: Sender,
    readonly data: TestData,
    readonly allowWrites: boolean,
  ) {
    this.shapes = new Shapes(facts.vocabulary)
  }

  add(state: FindingState, cites: Cites, found: Partial<VerifyFinding>): void {
    const { operation = '', where = '', message = '', count = 1, of = 1 } = found
    const key = JSON.stringify([state, operation, where, cites, where.includes('[*]') || message])
    const known = this.findings.get(key)
    const sums = { count: count + (known?.count ?? 0), of: of + (known?.of ?? 0) }
    this.findings.set(key, { ...found, state, cites, operation, where, message: known?.message ?? message, ...sums })
  }
}
