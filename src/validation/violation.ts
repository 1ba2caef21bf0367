import { type Basis, basisOf, type Cites, textOf } from '../../schemas/cites.js'
import type { CiteId } from '../../schemas/plain.js'

/** A way in which a request departs from the contract. */
export interface Violation {
  /** Stable, such as `missing-parameter`. */
  readonly code: string
  readonly message: string
  /** The place, such as `query.user_type` or `form.data[0][email]`. */
  readonly where: string
  /** What to do, ready to copy where possible. */
  readonly fix: string
  /** What the complaint rests on: the document, a reading of ours, or that it is surely a mistake. */
  readonly basis: Basis
  /** The statements or interpretations that it rests on; none where it is suspicious. */
  readonly cites: readonly CiteId[]
  /** The first of them, quoted. */
  readonly rule?: string
  /** How often it occurred where repeats are folded. */
  readonly count?: number
}

/** A way in which a response departs from the contract. */
export interface Deviation {
  readonly code: string
  readonly message: string
  /** The place in the response, such as `body.data.role`. */
  readonly where: string
  /** Whether a scenario has it on purpose, with `offContract: true`. */
  readonly meant: boolean
  /** Whether it departs from the document, or from a reading of ours alone. */
  readonly basis: 'documented' | 'reading'
  /** The statements or interpretations that it departs from. */
  readonly cites: readonly [CiteId, ...CiteId[]]
}

/** What is wrong, and what to do about it. */
export type Found = Pick<Violation, 'code' | 'message' | 'where' | 'fix'>

/** A violation of what is cited. */
export function violationOf({ code, message, where, fix }: Found, cites: Cites): Violation {
  return { code, message, where, fix, basis: basisOf(cites), cites, rule: `${cites[0]}: ${textOf(cites[0])}` }
}

/** Something that no rule forbids, but that surely is a mistake. */
export function suspicionOf({ code, message, where, fix }: Found): Violation {
  return { code, message, where, fix, basis: 'suspicious', cites: [] }
}
