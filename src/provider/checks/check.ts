import type { Cites } from '../../../schemas/cites.js'
import type { Contract } from '../../../schemas/contract.js'
import type { Session } from './session.js'

/** What a check cannot do without. */
export type Need = 'writes' | 'a second token'

/** One thing that the document says of an operation, and how it is looked at. */
export interface Check {
  /** What it decides; where it cannot be made, these are unchecked. */
  readonly cites: Cites
  readonly needs?: Need
  readonly run: (session: Session, contract: Contract) => Promise<void>
}

/** The checks of one operation beside those that every contract gives. */
export type OperationChecks = readonly Check[]
