import type { Form } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import type { Violation } from './violation.js'

/** What the rules look at. */
export interface LintedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly form: Form | null
  /** A body that was not read; null where there is none. */
  readonly text: string | null
}

/** One thing that clients get wrong, though they may get an answer. */
export type LintRule = (request: LintedRequest, contract: Contract) => readonly Violation[]

export const NONE: readonly Violation[] = Object.freeze([])

/** What the rules find; a request without mistakes costs no list. */
export function collect(rules: readonly LintRule[], request: LintedRequest, contract: Contract): readonly Violation[] {
  let found: Violation[] | undefined
  for (const rule of rules) {
    const violations = rule(request, contract)
    if (violations.length > 0) found = found === undefined ? [...violations] : [...found, ...violations]
  }
  return found ?? NONE
}
