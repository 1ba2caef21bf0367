import type { Cite, InterpretationCite, StatementCite } from './cites.js'

export interface Statement {
  readonly id: StatementCite
  readonly text: string
  /** The document only mentions this topic, without specifying it. */
  readonly notShown?: true
}

export interface Interpretation {
  readonly id: InterpretationCite
  readonly about: string
  readonly decision: string
  readonly reason: string
  readonly switches?: readonly string[]
}

export interface CitableTexts {
  readonly statements: readonly Statement[]
  readonly interpretations: readonly Interpretation[]
}

/** `ID: text` of a statement; `ID: title: sentence` of an interpretation, with all sentences for a cite without `#clause`. */
export function quoteCitation({ statements, interpretations }: CitableTexts, cite: Cite): string {
  const [name = '', clause = ''] = cite.split('#', 2)
  const statement = statements.find(({ id }) => id === name)
  const interpretation = interpretations.find(({ id }) => id === name)
  const decision = interpretation?.decision ?? ''
  const sentence = clause === '' ? decision : decision.split(/(?<=\.) /).find((text) => text.includes(clause))
  return `${name}: ${statement?.text ?? (interpretation ? `${interpretation.about}: ${sentence}` : '')}`
}
