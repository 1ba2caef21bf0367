import type { TSchema } from '@sinclair/typebox'
import type { Api } from '../../engine/api.js'
import type { Cite, Cites, InterpretationCite, StatementCite } from '../../engine/contract/cites.js'
import type { Contract } from '../../engine/contract/contract.js'
import type { TestData } from './calls.js'
import { Shapes } from './interpretations/shapes.js'
import type { Sender } from './sender.js'

export interface VerifyFacts {
  readonly operations: Readonly<Record<string, OperationFacts | undefined>>
  /** Words that reports may quote, since they are not personal data; in lower case with spaces. */
  readonly vocabulary: readonly string[]
  /** The interpretation (our reading of a gap in the document) of the order of checks. */
  readonly checkOrder?: InterpretationCite
  /** Statements that are proven if the path of an operation exists. */
  readonly provenByPaths: readonly Cite[]
}

export interface OperationFacts {
  /** Statements that fields cite, but that only a check can prove. */
  readonly provenOnlyByChecks?: readonly Cite[]
  /** Statements that no check can prove, with the reason. */
  readonly unverifiable?: Readonly<Record<StatementCite, string>>
  /** Further keys of the operation's part of the data file. */
  readonly data?: Readonly<Record<string, TSchema>>
  /** Statuses for unknown data; by default 404 and 422. */
  readonly unknownDataStatuses?: readonly number[]
  /** The noun for a record in messages. */
  readonly record?: string
  /** The interpretation that lets a call without fields succeed. */
  readonly emptyFormCite?: InterpretationCite
}

/** `drift`: contradicts the document; `differs`: contradicts only an interpretation. */
export type FindingState = 'ok' | 'drift' | 'differs' | 'unchecked'

export interface VerifyFinding {
  readonly state: FindingState
  readonly cites: Cites
  readonly operation: string
  readonly where: string
  readonly message: string
  readonly count: number
  readonly of: number
  /** With this finding, its statements are not proven. */
  readonly preventsOk?: true
  /** Another option would make the check possible. */
  readonly lacksOption?: boolean
  readonly switch?: string
}

export interface SwitchEvidence {
  readonly name: string
  readonly contract: Contract
  readonly value: unknown
  /** The answer's status and shape: `404 {error: {code: integer, message: text}}`. */
  readonly answer: string
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
  readonly undocumentedFields = new Map<
    string,
    Pick<VerifyFinding, 'operation' | 'where'> & { readonly type: string }
  >()
  readonly leftovers = new Set<string>()
  readonly evidence: SwitchEvidence[] = []
  switches: readonly SwitchResult[] = []
  /** Ids of operations whose answer to the contract's example call contained records. */
  readonly operationsWithRecords = new Set<string>()
  /** Messages about calls that got no usable answer. */
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

  /** Merges equal findings, and findings about items of one list, and adds up their counts. */
  report(state: FindingState, cites: Cites, details: Partial<VerifyFinding>): void {
    const { operation = '', where = '', message = '', count = 1, of = 1 } = details
    const key = JSON.stringify([state, operation, where, cites, where.includes('[*]') || message])
    const first = this.findings.get(key)
    const sums = { count: count + (first?.count ?? 0), of: of + (first?.of ?? 0) }
    this.findings.set(key, { ...details, state, cites, operation, where, message: first?.message ?? message, ...sums })
  }
}
