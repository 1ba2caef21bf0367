import type { InterpretationId, SwitchName } from '../../../schemas/interpretations.js'
import type { Cites } from '../../engine/contract/cites.js'
import type { Contract } from '../../engine/contract/contract.js'
import type { TestData } from './calls.js'
import type { Sender } from './sender.js'

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
  /** The switch that makes the mock do the same. */
  readonly switch?: SwitchName
}

/** The value of a switch that an answer shows. */
export interface SwitchEvidence {
  readonly name: SwitchName
  readonly contract: Contract
  readonly value: unknown
  /** The answer's status and shape, without its data: `404 {error: {code: integer, message: text}}`. */
  readonly shown: string
}

export interface SwitchResult {
  readonly name: SwitchName
  readonly interpretation: InterpretationId
  readonly evidence: readonly SwitchEvidence[]
  /** The value that the switch must have, or has if the run does not decide it; undefined for the default. */
  readonly value: unknown
  readonly undecided?: string
}

export class Session {
  readonly findings = new Map<string, VerifyFinding>()
  readonly additional = new Map<string, Pick<VerifyFinding, 'operation' | 'where'> & { readonly type: string }>()
  readonly left = new Set<string>()
  readonly seen: SwitchEvidence[] = []
  switches: readonly SwitchResult[] = []
  /** Operations that know the records of the contracts' examples. */
  readonly withExamples = new Set<string>()
  /** Why the service, or some of its operations, could not be judged. */
  readonly unavailable = new Set<string>()

  constructor(
    readonly contracts: readonly Contract[],
    readonly sender: Sender,
    readonly data: TestData,
    readonly allowWrites: boolean,
  ) {}

  add(state: FindingState, cites: Cites, found: Partial<VerifyFinding>): void {
    const { operation = '', where = '', message = '', count = 1, of = 1 } = found
    const key = JSON.stringify([state, operation, where, cites, where.includes('[*]') || message])
    const known = this.findings.get(key)
    const sums = { count: count + (known?.count ?? 0), of: of + (known?.of ?? 0) }
    this.findings.set(key, { ...found, state, cites, operation, where, message: known?.message ?? message, ...sums })
  }
}
