import type { TSchema } from '@sinclair/typebox'
import { type Cite, citesOf, isStatement, LIMITS } from '../../schemas/cites.js'
import { NO_CONTROL_CHARACTERS } from '../../schemas/common.js'
import { allowed } from '../text/wording.js'

/**
 * What a parameter takes, in words: first what the document says, then the limits that are ours, with the
 * interpretations that set them: `a whole number (1 or more: I-06)`.
 */
export function expectedOf(schema: TSchema): string {
  if (schema['x-allowed'] !== undefined) return allowed(schema)
  const ours = LIMITS.filter((limit) => schema[limit] !== undefined && isOurs(schema, limit))
  const cites = [...new Set(ours.flatMap((limit) => citesOf(schema, limit) ?? []))].join(', ')
  if (ours.length === 0) return allowed(schema)
  if (schema.enum !== undefined) return `${allowed(schema)} (${cites})`
  const documented = Object.fromEntries(Object.entries(schema).filter(([key]) => !(ours as string[]).includes(key)))
  const limits = Object.entries(words).flatMap(([limit, say]) =>
    (ours as string[]).includes(limit) ? say(schema[limit]) : [],
  )
  return `${allowed(documented as TSchema)} (${limits.join(', ')}: ${cites})`
}

function isOurs(schema: TSchema, limit: string): boolean {
  const cites: readonly Cite[] = citesOf(schema, limit) ?? []
  return cites.length > 0 && !cites.some(isStatement)
}

/** Limits in words, in their order. The largest whole number is named where one is larger. */
const words: Readonly<Record<string, (value: unknown) => string>> = {
  minimum: (least) => `${least} or more`,
  minLength: () => 'not empty',
  pattern: (pattern) => (pattern === NO_CONTROL_CHARACTERS ? 'without control characters' : `matching ${pattern}`),
}
