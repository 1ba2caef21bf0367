import type { TSchema } from '@sinclair/typebox'

/** `S…`: a sentence of the API document; `I-…`: an interpretation; `I-…#WORDS`: its sentence with these words. */
export type Cite = StatementCite | InterpretationCite
export type StatementCite = `S${string}`
export type InterpretationCite = `I-${string}`
export type Cites = readonly [Cite, ...Cite[]]

/** `suspicious`: breaks no written rule, but is almost certainly a mistake. */
export type Basis = 'documented' | 'interpretation' | 'suspicious'

export const LIMITS = ['enum', 'const', 'format', 'pattern', 'minLength', 'minimum', 'maximum'] as const
type Limit = (typeof LIMITS)[number]
/** Ajv reports `false schema` for a value that may not exist, `anyOf` where none of some fields was sent. */
export type LimitCites = { readonly [L in Limit | 'false schema' | 'anyOf']?: Cites }

export function cited<S extends TSchema>(cites: Cites, schema: S, limits: LimitCites = {}): S {
  return { ...schema, 'x-cites': cites, 'x-limit-cites': { ...schema['x-limit-cites'], ...limits } }
}

export function citesOf(schema: TSchema, limit?: string): Cites | undefined {
  return schema['x-limit-cites']?.[limit as Limit] ?? schema['x-cites']
}

export function allCitesOf(schema: TSchema): Cite[] {
  return withoutClauses([...(schema['x-cites'] ?? []), ...Object.values(schema['x-limit-cites'] ?? {}).flat()])
}

export function withoutClauses(cites: readonly Cite[]): Cite[] {
  return [...new Set(cites.map((cite) => cite.split('#', 1)[0] as Cite))]
}

export function joinCites(...all: readonly (readonly Cite[] | undefined)[]): Cites {
  return [...new Set(all.flatMap((cites) => cites ?? []))] as [Cite, ...Cite[]]
}

export function basisOf(cites: Cites): 'documented' | 'interpretation' {
  return cites.some(isStatement) ? 'documented' : 'interpretation'
}

export function statementsIn(cites: readonly Cite[] = []): readonly StatementCite[] {
  return cites.filter(isStatement)
}

export function interpretationsIn(cites: readonly Cite[] = []): readonly InterpretationCite[] {
  return cites.filter((cite): cite is InterpretationCite => !isStatement(cite))
}

export function isStatement(cite: Cite): cite is StatementCite {
  return cite.startsWith('S')
}
