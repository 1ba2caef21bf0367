import type { Cite, InterpretationCite, StatementCite } from './cites.js'

export interface Statement {
  readonly id: StatementCite
  readonly text: string
  /** The document says only that it does not show this. */
  readonly notShown?: true
}

export interface Interpretation {
  readonly id: InterpretationCite
  readonly about: string
  readonly decision: string
  readonly reason: string
  readonly switches?: readonly string[]
}

export interface Rules {
  readonly statements: readonly Statement[]
  readonly interpretations: readonly Interpretation[]
}

/** A statement's id and text, or an interpretation's title and first sentence. */
export function quoteRule({ statements, interpretations }: Rules, cite: Cite): string {
  const statement = statements.find(({ id }) => id === cite)
  const interpretation = interpretations.find(({ id }) => id === cite)
  const first = interpretation && `${interpretation.about}: ${interpretation.decision.split(/(?<=\.) /)[0]}`
  return `${cite}: ${statement?.text ?? first ?? ''}`
}
