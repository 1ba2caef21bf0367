import type { Invitation } from '../../schemas/fixtures.js'
import type { Rule } from '../../schemas/scenario.js'
import type { ExchangeEntry } from '../world/journal/entry.js'
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

/** All scenarios, and which of them are on, the one that was switched on first before the others. */
export interface ScenarioList {
  readonly scenarios: readonly ScenarioView[]
  readonly meta: { readonly active: readonly string[] }
}

export type InvitationView = Pick<Invitation, 'id' | 'email' | 'status'>

/** How a world is used. */
export interface WorldUse {
  readonly requests: number
  /** ISO 8601, by the machine's clock. */
  readonly lastUsed: string | null
  /** The scenarios and outcomes that are on. */
  readonly active: readonly string[]
}

/** The root, and the sandboxes in the order of their use, the one that was idle the longest first. */
export interface WorldList {
  readonly sandboxes: readonly (WorldUse & { readonly name: string })[]
  readonly root: WorldUse
}

/** A record of a collection: which fields it has is the server's matter. */
export type StateRecord = Readonly<Record<string, unknown>>

/** An exchange, and the user whose token was sent. */
export interface OpenedExchange extends ExchangeEntry {
  readonly caller: { readonly token: string; readonly first_name: string; readonly last_name: string } | null
}
