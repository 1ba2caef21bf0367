import type { TSchema } from '@sinclair/typebox'
import { type InterpretationId, interpretations } from './interpretations.js'
import { type StatementId, statements } from './statements.js'

/** A statement of the document, or an interpretation where it is silent. */
export type Cite = StatementId | InterpretationId
export type Cites = readonly [Cite, ...Cite[]]

/** What something rests on: on statements, on interpretations, or on no rule, though it is surely a mistake. */
export type Basis = 'documented' | 'interpretation' | 'suspicious'

/** The JSON-Schema keywords that limit a value. */
export const LIMITS = ['enum', 'const', 'format', 'pattern', 'minLength', 'minimum', 'maximum'] as const
type Limit = (typeof LIMITS)[number]
/** What each limit rests on; `false schema` is Ajv's name for a value that may not be there at all. */
export type LimitCites = { readonly [L in Limit | 'false schema']?: Cites }

/** A schema with what it rests on: its presence and type on `cites`, each of its limits on cites of its own. */
export function cited<S extends TSchema>(cites: Cites, schema: S, limits: LimitCites = {}): S {
  return { ...schema, 'x-cites': cites, 'x-limits': { ...schema['x-limits'], ...limits } }
}

/** What a schema rests on, or one of its limits; undefined for a schema that says nothing of the API. */
export function citesOf(schema: TSchema, limit?: string): Cites | undefined {
  return schema['x-limits']?.[limit as Limit] ?? schema['x-cites']
}

/** Everything that a schema and its limits rest on, each once. */
export function allCitesOf(schema: TSchema): Cite[] {
  return [...new Set([...(schema['x-cites'] ?? []), ...Object.values(schema['x-limits'] ?? {}).flat()])]
}

/** All that several cite, each once; one of them at least cites something. */
export function joinedCites(...all: readonly (readonly Cite[] | undefined)[]): Cites {
  return [...new Set(all.flatMap((cites) => cites ?? []))] as [Cite, ...Cite[]]
}

/** Documented where a statement is cited, an interpretation where only interpretations are. */
export function basisOf(cites: Cites): 'documented' | 'interpretation' {
  return cites.some(isStatement) ? 'documented' : 'interpretation'
}

/** Whether what is cited is a statement of the document. */
export function isStatement(cite: Cite): cite is StatementId {
  return cite.startsWith('S')
}

const texts: ReadonlyMap<string, string> = new Map<string, string>([
  ...statements.map(({ id, text }) => [id, text] as const),
  ...interpretations.map(({ id, about, decision }) => [id, `${about}: ${decision.split(/(?<=\.) /)[0]}`] as const),
])

/** A statement, or the title and first sentence of an interpretation. */
export function textOf(cite: Cite): string {
  return texts.get(cite) ?? ''
}
