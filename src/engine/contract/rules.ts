import type { Cite, InterpretationCite, StatementCite } from './cites.js'

/** One sentence of the API document. */
export interface Statement {
  readonly id: StatementCite
  readonly text: string
  /** The document says only that it does not show this. */
  readonly notShown?: true
}

/** One decision where the API document is silent. */
export interface Interpretation {
  readonly id: InterpretationCite
  readonly about: string
  readonly decision: string
  readonly reason: string
  /** The switches that choose another decision: keys under `interpretations` in the config file. */
  readonly switches?: readonly string[]
}

/** All that a cite can name. */
export interface Rules {
  readonly statements: readonly Statement[]
  readonly interpretations: readonly Interpretation[]
}

/** The id and text of a statement, or the title and first sentence of an interpretation. */
export function quoteRule({ statements, interpretations }: Rules, cite: Cite): string {
  const statement = statements.find(({ id }) => id === cite)
  const interpretation = interpretations.find(({ id }) => id === cite)
  const first = interpretation && `${interpretation.about}: ${interpretation.decision.split(/(?<=\.) /)[0]}`
  return `${cite}: ${statement?.text ?? first ?? ''}`
}
