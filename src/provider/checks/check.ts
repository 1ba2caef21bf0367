import type { Cites } from '../../../schemas/cites.js'
import type { Changes, Token } from '../calls.js'
import type { Answer } from '../client.js'
import type { Expectation, Operation } from '../session.js'

/** What a check cannot do without. */
export type Need = 'writes' | 'a second token'

/** One thing that the document says of an operation, and how it is looked at. */
export interface Check {
  /** Without the check these are unchecked. */
  readonly cites: Cites
  readonly needs?: Need | undefined
  readonly run: (operation: Operation) => Promise<unknown>
}

/** A check that one call decides. */
export interface CallCheck extends Expectation {
  readonly needs?: Need
  readonly changes?: (operation: Operation) => Changes
  readonly token?: Token | null
  /** Looks at an answer that is as expected. */
  readonly then?: (operation: Operation, answer: Answer) => unknown
}

export function callCheck({ needs, changes, token, then, ...expected }: CallCheck): Check {
  return {
    cites: expected.cites,
    needs,
    run: async (operation) => {
      const answer = await operation.send(changes?.(operation), token === undefined ? {} : { token })
      if (operation.expect(answer, expected)) await then?.(operation, answer)
    },
  }
}
