import type { Invitation } from '../../schemas/fixtures.js'
import type { Rule } from '../../schemas/scenario.js'
import type { Scenario } from '../world/scenarios/scenario.js'

/** A rule of a scenario, with what it says in plain words and how often it answered. */
export interface RuleView extends Rule {
  readonly says: string
  readonly answered: number
}

export interface ScenarioView {
  readonly name: string
  readonly description: string
  readonly active: boolean
  readonly state: string
  readonly source: Scenario['source']
  readonly rules: readonly RuleView[]
}

export type InvitationView = Pick<Invitation, 'id' | 'email' | 'status'>

export interface Sandbox {
  readonly name: string
  readonly requests: number
}

/** A record of a collection: which fields it has is the server's matter. */
export type StateRecord = Readonly<Record<string, unknown>>
