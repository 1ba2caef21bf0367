import type { TSchema } from '@sinclair/typebox'
import { allCitesOf, type Cite } from '../../../schemas/cites.js'
import type { Json } from './versions.js'

/** Ends a description with the statements and interpretations that it rests on, unless it names them. */
export function withCites(description: string, cites: readonly Cite[]): string {
  const named: readonly string[] = description.match(/\b(?:I-\d\d|S[0-9A-Z]\.\d+)\b/g) ?? []
  const others = cites.filter((cite) => !named.includes(cite))
  return others.length === 0 ? description : `${description} (${others.join(', ')})`.trim()
}

/** The description of a property and of its limits, and what they rest on. */
export function describe(schema: TSchema): Json {
  const cites = allCitesOf(schema)
  const description = withCites(schema.description ?? '', cites)
  return { ...(description !== '' && { description }), ...(cites.length > 0 && { 'x-cites': cites }) }
}

/** The name of the one example of an operation's parameters, body and success: tools pair them by it. */
export const SAMPLE = 'sample'

/** A value as that example. */
export function sampled(value: unknown): Json {
  return { examples: { [SAMPLE]: { value } } }
}
