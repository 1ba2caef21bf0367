import { type Basis, basisOf, type Cite, type Cites } from '../contract/cites.js'
import { truncate } from '../contract/wording.js'

/** A way in which a request departs from the contract. */
export interface Violation {
  /** A stable code, such as `missing-parameter`. */
  readonly code: string
  readonly message: string
  /** The place in the request, such as `query.page` or `form.name`. */
  readonly where: string
  /** The remedy, ready to copy where possible. */
  readonly fix: string
  /** The basis of the violation: the document, one of our interpretations, or that it is clearly a mistake. */
  readonly basis: Basis
  /** The statements or interpretations that it is based on; empty if it is suspicious. */
  readonly cites: readonly Cite[]
  /** True if it led to a status that the client said it expects. */
  readonly expected: boolean
  /** The status of 4xx that it led to; undefined if it led to none. */
  readonly refusedWith?: number | undefined
  readonly about: About
}

/** What only the judge reads of a violation. */
interface About {
  /** The documented places, such as `form.name`, of which it says why their values are missing or not taken. */
  readonly explains: readonly string[]
  /** False if no other name or value mends the request. */
  readonly isRepairable: boolean
}

export const NO_VIOLATIONS: readonly Violation[] = Object.freeze([])

/** A way in which a response departs from the contract. */
export interface Deviation {
  readonly code: string
  readonly message: string
  /** The place in the response, such as `body.data.role`. */
  readonly where: string
  /** True if a scenario causes it on purpose, with `offContract: true`. */
  readonly meant: boolean
  /** The basis of the contract: the document, or only one of our interpretations. */
  readonly basis: 'documented' | 'interpretation'
  /** The statements or interpretations that it departs from. */
  readonly cites: Cites
}

export type ViolationDraft = Pick<Violation, 'code' | 'message' | 'where' | 'fix'> & Partial<About>

/** Characters of each text: names and values in them may be of any length. */
const LONGEST = { message: 2_000, where: 300, fix: 2_000 } as const

/** A violation; without a rule that names it, one that is clearly a mistake. */
export function violationOf(draft: ViolationDraft, cites?: Cites): Violation {
  const { code, message, where, fix, explains = NOTHING, isRepairable = true } = draft
  return {
    code,
    message: truncate(message, LONGEST.message),
    where: truncate(where, LONGEST.where),
    fix: truncate(fix, LONGEST.fix),
    basis: cites === undefined ? 'suspicious' : basisOf(cites),
    cites: cites ?? [],
    expected: false,
    refusedWith: undefined,
    about: { explains, isRepairable },
  }
}

const NOTHING: readonly string[] = []

/** The violations that led to a status; `expect` is the one that the client expects. */
export function markRefused(
  status: number,
  violations: readonly Violation[],
  expect: number | undefined,
): readonly Violation[] {
  if (status < 400 || violations.length === 0) return violations
  return violations.map((one) => ({ ...one, expected: status === expect, refusedWith: status }))
}
