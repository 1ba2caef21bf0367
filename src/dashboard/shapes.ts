import type { Invitation } from '../../schemas/fixtures.js'
import type { Rule, ScenarioAnswer } from '../../schemas/scenario.js'
import type { ViolationEntry } from '../world/journal/entry.js'

/** An exchange as the list of requests shows it. */
export interface ExchangeSummary {
  readonly id: string
  readonly at: string
  readonly operation: string | null
  readonly outcome: string | null
  readonly cause: string
  readonly method: string
  readonly url: string
  readonly status: number | null
  readonly fault: string | null
  /** The code of what only the mock would say. */
  readonly problem: string | null
  readonly duration: number | null
  readonly violations: readonly Pick<ViolationEntry, 'code' | 'message' | 'basis' | 'expected'>[]
  readonly deviations: number
}

/** A rule of a scenario, with what it says in plain words and how often it answered. */
export interface RuleView extends Omit<Rule, 'on' | 'answer'> {
  readonly on: '*' | readonly string[]
  readonly answer: ScenarioAnswer
  readonly answered: number
  readonly says?: string
}

export interface ScenarioView {
  readonly name: string
  readonly description: string
  readonly active: boolean
  readonly state: string
  readonly source?: 'shipped' | 'file' | 'defined'
  readonly rules: readonly RuleView[]
}

export type InvitationView = Pick<Invitation, 'id' | 'email' | 'status'>

export interface Sandbox {
  readonly name: string
  readonly requests: number
}

/** A record of a collection: which fields it has is the server's matter. */
export type StateRecord = Readonly<Record<string, unknown>>
