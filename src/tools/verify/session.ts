import type { TSchema } from '@sinclair/typebox'
import type { Api } from '../../engine/api.js'
import type { Cite, Cites, InterpretationCite, StatementCite } from '../../engine/contract/cites.js'
import type { Contract } from '../../engine/contract/contract.js'
import type { TestData } from './calls.js'
import { Shapes } from './interpretations/shapes.js'
import type { Sender } from './sender.js'

/** What contracts do not say of an API, but answers are judged by. */
export interface VerifyFacts {
  readonly operations: Readonly<Record<string, OperationFacts | undefined>>
  /** Words of the API, in lower case with spaces, which reports may quote: they are no personal data. */
  readonly vocabulary: readonly string[]
  /** The interpretation that orders the checks of a call. */
  readonly checkOrder?: InterpretationCite
  /** Statements about paths, which hold where an operation exists. */
  readonly shownByPaths: readonly Cite[]
}

export interface OperationFacts {
  /** Statements that fields cite, but that only the checks can show. */
  readonly shownByChecks?: readonly Cite[]
  /** Why no call can show a statement. */
  readonly unverifiable?: Readonly<Record<StatementCite, string>>
  /** Keys of its part of the data file, besides the parts of a call. */
  readonly data?: Readonly<Record<string, TSchema>>
  /** The statuses for data that does not exist; by default 404 and 422. */
  readonly unknownData?: readonly number[]
  readonly record?: string
  /** The interpretation by which a call without any field succeeds. */
  readonly emptyForm?: InterpretationCite
}

/** `drift`: not as documented; `differs`: not as one of our interpretations; `unchecked`: with the reason. */
export type FindingState = 'ok' | 'drift' | 'differs' | 'unchecked'

export interface VerifyFinding {
  readonly state: FindingState
  readonly cites: Cites
  readonly operation: string
  readonly where: string
  readonly message: string
  readonly count: number
  readonly of: number
  /** Present where the statement counts as unchecked, whatever other checks hold. */
  readonly decisive?: true
  /** Present where only an option that is not given would check it. */
  readonly lacksOption?: boolean
  readonly switch?: string
}

export interface SwitchEvidence {
  readonly name: string
  readonly contract: Contract
  readonly value: unknown
  /** The answer's status and shape, without its data: `404 {error: {code: integer, message: text}}`. */
  readonly shown: string
}

export interface SwitchResult {
  readonly name: string
  readonly interpretation: InterpretationCite
  readonly evidence: readonly SwitchEvidence[]
  /** The value that the switch must have, or has if the run does not decide it; undefined for the default. */
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
  /** Operations that know the records of the contracts' examples. */
  readonly withExamples = new Set<string>()
  /** Why the service, or some of its operations, could not be judged. */
  readonly unavailable = new Set<string>()

  /** `api` is as documented; `contracts` are those that are checked, under the interpretations in force. */
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
