import type { Contract } from '../../../schemas/contract.js'
import { type InterpretationId, interpretations, type SwitchName } from '../../../schemas/interpretations.js'
import type { Need } from '../checks/check.js'
import type { Session } from '../checks/session.js'

/** What showed a value of a switch: never what was said, but with which status and in which shape. */
export interface Evidence {
  readonly operation: string
  readonly value: unknown
  /** Such as `404 {error: {code: integer, message: text}}`. */
  readonly shown: string
}

/** What a provider shows of a switch. */
export interface Lesson {
  readonly name: SwitchName
  readonly interpretation: InterpretationId
  /** By operation, where the switch has a value for each; none where it is undecided. */
  readonly evidence: readonly Evidence[]
  /** Why there is no value. */
  readonly undecided?: string
}

/** How the value of a switch is found out. */
export interface Learner {
  readonly name: SwitchName
  readonly needs?: Need
  readonly learn: (session: Session) => Promise<Omit<Lesson, 'name' | 'interpretation'>>
}

type Learned = Awaited<ReturnType<Learner['learn']>>

export const decided = (...evidence: readonly Evidence[]): Learned => ({ evidence })

export const undecided = (why: string): Learned => ({ evidence: [], undecided: why })

/** The number of the interpretation that a switch belongs to. */
export function interpretationOf(name: SwitchName): InterpretationId {
  const found = interpretations.find((one) => 'switches' in one && (one.switches as readonly string[]).includes(name))
  if (found === undefined) throw new Error(`No interpretation has the switch ${name}.`)
  return found.id
}

/** A learner that one operation shows. */
export function ofOperation(
  operation: string,
  name: SwitchName,
  learn: (session: Session, contract: Contract) => Promise<Learned>,
  needs?: Need,
): Learner {
  return {
    name,
    ...(needs !== undefined && { needs }),
    learn: async (session) => {
      const contract = session.contracts.find(({ id }) => id === operation)
      return contract === undefined
        ? undecided(`Its operation, ${operation}, was not chosen.`)
        : learn(session, contract)
    },
  }
}

/** Two values of a switch are the same, in whatever order their keys stand. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

/** A value with the keys of all its objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
