import type { Cites } from '../../../schemas/cites.js'
import type { Operation } from '../session.js'

export type Need = 'writes' | 'a second token'

/** One thing that the document says of an operation, and how it is looked at. */
export interface Check {
  /** Without the check these are unchecked. */
  readonly cites: Cites
  readonly needs?: Need | undefined
  readonly run: (on: Operation, cites: Cites) => Promise<unknown>
}

export const check = (cites: Cites, run: Check['run'], needs?: Need): Check => ({ cites, run, needs })
export const writing = (cites: Cites, run: Check['run']): Check => ({ cites, run, needs: 'writes' })
