import type { Contract } from '../../schemas/contract.js'
import { interpretations } from '../../schemas/interpretations.js'

/** A way in which a request departs from the contract. */
export interface Violation {
  /** Stable, such as `missing-parameter`. */
  readonly code: string
  readonly message: string
  /** The place, such as `query.user_type` or `form.data[0][email]`. */
  readonly where: string
  /** What to do, ready to copy where possible. */
  readonly fix: string
  /** The document's rule, quoted, with its section. */
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
}

/** A sentence of the document about an operation, with its section. */
export function documentRule({ section, summary }: Contract, text: string): string {
  return `Endpoints, ${section}. ${summary}: ${text}`
}

/** A decision of ours where the document is silent, with its number. */
export function interpretationRule(id: (typeof interpretations)[number]['id']): string {
  const { about, decision } = interpretations.find((one) => one.id === id) as (typeof interpretations)[number]
  return `${id}, ${about}: ${decision}`
}
