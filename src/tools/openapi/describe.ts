import type { TSchema } from '@sinclair/typebox'
import { allCitesOf, type Cite } from '../../engine/contract/cites.js'
import type { Json } from './versions.js'

/** Cites, and words that look like one. */
const CITES = /\b(?:S|I-)\w+(?:\.\w+)*/g

/** Appends cites that the description does not contain. */
export function withCites(description: string, cites: readonly Cite[]): string {
  const named: readonly string[] = description.match(CITES) ?? []
  const others = cites.filter((cite) => !named.includes(cite))
  return others.length === 0 ? description : `${description} (${others.join(', ')})`.trim()
}

export function describe(schema: TSchema): Json {
  const cites = allCitesOf(schema)
  const description = withCites(schema.description ?? '', cites)
  return { ...(description !== '' && { description }), ...(cites.length > 0 && { 'x-cites': cites }) }
}

/** Tools pair examples by this name. */
export const SAMPLE = 'sample'

export function sampled(value: unknown): Json {
  return { examples: { [SAMPLE]: { value } } }
}
