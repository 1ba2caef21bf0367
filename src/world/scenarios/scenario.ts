import { type Contract, outcomeId } from '../../../schemas/contract.js'
import { GATEWAY_STATUSES, gatewayId } from '../../../schemas/gateway.js'
import type { Rule, ScenarioAnswer } from '../../../schemas/scenario.js'
import type { FilePlace } from '../../text/invalid-files.js'

/** A rule, ready to be met. */
export interface ReadyRule extends Omit<Rule, 'on' | 'answer'> {
  /** Operation ids; undefined for all. */
  readonly on: ReadonlySet<string> | undefined
  readonly answer: ScenarioAnswer
  /** Whether a request meets the rule's `when`, its state aside. */
  readonly meets: (request: MatchedRequest) => boolean
  /** Finds out where it is written; absent where that is no file. */
  readonly place?: () => Promise<FilePlace>
}

/** What rules look at. */
export interface MatchedRequest {
  readonly query: Readonly<Record<string, unknown>>
  readonly path: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly token: string | undefined
}

/** A named list of rules. */
export interface Scenario {
  readonly name: string
  readonly source: 'shipped' | 'file' | 'defined'
  readonly description: string
  /** Those of the scenarios it extends come first. */
  readonly rules: readonly ReadyRule[]
  /** The status that it forces: such a scenario plays before anything is checked. Without an operation, on all. */
  readonly forces?: { readonly operation?: string; readonly status: number }
  /** The id of the mutant that alters answers while it is on; it has no rules. */
  readonly mutant?: string
}

export const FIRST_STATE = 'Started'

/** Rules of a scenario with all that it extends: extending twice what extends twice doubles them each time. */
export const MOST_RULES = 10_000

/** The scenario that an outcome id names. */
export function outcomeScenario(contract: Contract, status: number): Scenario {
  const response = contract.responses[status]
  return {
    name: outcomeId(contract, status),
    source: 'shipped',
    description: `${contract.summary}: ${status}. ${response?.description ?? ''}`,
    rules: [{ on: new Set([contract.id]), meets: () => true, answer: { status } }],
    forces: { operation: contract.id, status },
  }
}

/** The scenarios that answer every operation as a gateway does; one that declares the status gives its own outcome. */
export const gatewayScenarios: readonly Scenario[] = GATEWAY_STATUSES.map((status) => ({
  name: gatewayId(status),
  source: 'shipped',
  description: `Every operation: ${status}, with its own outcome if it declares that status, otherwise as a gateway answers.`,
  rules: [{ on: undefined, meets: () => true, answer: { status } }],
  forces: { status },
}))
