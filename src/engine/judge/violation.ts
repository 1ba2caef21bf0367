import { type Basis, basisOf, type Cite, type Cites } from '../contract/cites.js'
import { truncate } from '../contract/wording.js'

export interface Violation {
  /** Stable, such as `missing-parameter`. */
  readonly code: string
  readonly message: string
  /** Such as `query.page` or `form.name`. */
  readonly where: string
  readonly fix: string
  readonly basis: Basis
  /** Empty if no rule is broken, but the request looks like a mistake. */
  readonly cites: readonly Cite[]
  /** True if the client expected the status that the violation led to. */
  readonly expected: boolean
  /** The error status that the violation led to. */
  readonly refusedWith?: number | undefined
  readonly about: ViolationSubject
}

interface ViolationSubject {
  /** The documented fields, such as `form.name`, whose violations this one explains. */
  readonly explainedFields: readonly string[]
  /** False if no correction of a name or a value helps. */
  readonly isRepairable: boolean
}

export const NO_VIOLATIONS: readonly Violation[] = Object.freeze([])

export interface Deviation {
  readonly code: string
  readonly message: string
  readonly where: string
  /** True if a scenario has `offContract: true`. */
  readonly meant: boolean
  readonly basis: 'documented' | 'interpretation'
  readonly cites: Cites
  /** The number of list items that deviate at this place; `where` is in the first of them. */
  readonly count: number
  /** The number of list items. */
  readonly of: number
}

export type ViolationDraft = Pick<Violation, 'code' | 'message' | 'where' | 'fix'> & Partial<ViolationSubject>

const LONGEST = { message: 2_000, where: 300, fix: 2_000 } as const

export function violationOf(draft: ViolationDraft, cites?: Cites): Violation {
  const { code, message, where, fix, explainedFields = [], isRepairable = true } = draft
  return {
    code,
    message: truncate(message, LONGEST.message),
    where: truncate(where, LONGEST.where),
    fix: truncate(fix, LONGEST.fix),
    basis: cites === undefined ? 'suspicious' : basisOf(cites),
    cites: cites ?? [],
    expected: false,
    refusedWith: undefined,
    about: { explainedFields, isRepairable },
  }
}

export function markRefused(status: number, violations: readonly Violation[]): readonly Violation[] {
  return status < 400 ? violations : violations.map((one) => ({ ...one, refusedWith: status }))
}
