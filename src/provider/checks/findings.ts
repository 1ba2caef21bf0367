import type { Cite } from '../../../schemas/cites.js'
import type { SwitchName } from '../../../schemas/interpretations.js'

/**
 * `ok`: as documented; `drift`: documented, and otherwise; `differs`: departs from a reading of ours; `unchecked`: not
 * looked at, for a reason.
 */
export type State = 'ok' | 'drift' | 'differs' | 'unchecked'

/** What was found about some statements or interpretations, at one place of one operation. */
export interface Finding {
  readonly state: State
  readonly cites: readonly Cite[]
  readonly operation: string
  /** Such as `status`, or `histories[*].created_at`; empty for what has no place. */
  readonly where: string
  /** What is otherwise, or why nothing is known; empty where all is well. */
  readonly message: string
  /** How many values had it, and how many there were. */
  readonly count: number
  readonly of: number
  /** The switch that would make the mock do the same: `--strict` counts it. */
  readonly switch?: SwitchName
}

/** A field of an answer that the document does not know: it may be there. */
export interface AdditionalField {
  readonly operation: string
  readonly where: string
  readonly type: string
}

type Found = Pick<Finding, 'cites' | 'operation' | 'message'> & Partial<Finding>

/** What is found while a provider is looked at; what repeats is folded. */
export class Findings {
  readonly #found = new Map<string, Finding>()
  readonly #additional = new Map<string, AdditionalField>()
  readonly #left: string[] = []
  readonly #judged = new WeakSet<object>()

  /** Statements hold for an operation, as far as was seen. */
  holds(cites: readonly Cite[], operation: string): void {
    this.#add({ state: 'ok', cites, operation, message: '' })
  }

  drifts(found: Found): void {
    this.#add({ ...found, state: 'drift' })
  }

  differs(found: Found): void {
    this.#add({ ...found, state: 'differs' })
  }

  unchecked(cites: readonly Cite[], operation: string, message: string): void {
    this.#add({ state: 'unchecked', cites, operation, message })
  }

  addsField(field: AdditionalField): void {
    this.#additional.set(`${field.operation} ${field.where}`, field)
  }

  /** Notes what a write left at the provider; once each. */
  leaves(what: string): void {
    if (!this.#left.includes(what)) this.#left.push(what)
  }

  /** Whether an answer has not been judged before: its values count once. */
  isFirst(answer: object): boolean {
    const isNew = !this.#judged.has(answer)
    this.#judged.add(answer)
    return isNew
  }

  get all(): readonly Finding[] {
    return [...this.#found.values()]
  }

  get additional(): readonly AdditionalField[] {
    return [...this.#additional.values()].sort((a, b) =>
      `${a.operation}${a.where}` < `${b.operation}${b.where}` ? -1 : 1,
    )
  }

  get left(): readonly string[] {
    return this.#left
  }

  #add({
    state,
    cites,
    operation,
    where = '',
    message,
    count = 1,
    of = 1,
    switch: name,
  }: Found & { state: State }): void {
    const key = JSON.stringify([state, operation, where, cites, where.includes('[*]') || message])
    const known = this.#found.get(key)
    this.#found.set(key, {
      state,
      cites: [...cites],
      operation,
      where,
      message: known?.message ?? message,
      count: count + (known?.count ?? 0),
      of: of + (known?.of ?? 0),
      ...(name !== undefined && { switch: name }),
    })
  }
}
