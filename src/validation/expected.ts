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
  const ours = LIMITS_SAID.filter((limit) => schema[limit] !== undefined && isOurs(schema, limit))
  if (ours.length === 0) return schema['x-types'] === undefined ? allowed(schema) : EITHER
  const cites = [...new Set(ours.flatMap((limit) => citesOf(schema, limit) ?? []))].join(', ')
  if (schema.enum !== undefined) return `${allowed(schema)} (${cites})`
  const documented = Object.fromEntries(Object.entries(schema).filter(([key]) => !(ours as string[]).includes(key)))
  const limits = ours.flatMap((limit) => words[limit]?.(schema[limit]) ?? []).join(', ')
  return `${schema['x-types'] === undefined ? allowed(documented as TSchema) : EITHER} (${limits}: ${cites})`
}

/** What the document calls a string or an integer. */
const EITHER = 'text or a whole number'

/** In the order in which they are said. */
const LIMITS_SAID = [...LIMITS].reverse()

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
