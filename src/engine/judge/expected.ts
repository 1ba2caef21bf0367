import type { TSchema } from '@sinclair/typebox'
import { citesOf, isStatement } from '../contract/cites.js'
import { SINGLE_LINE } from '../contract/fields.js'
import { describeAllowed } from '../contract/wording.js'

/** Limits that only an interpretation sets are in parentheses: `a whole number (1 or more)`. */
export function describeExpected(schema: TSchema, value?: unknown): string {
  if (schema['x-allowed'] !== undefined) return describeAllowed(schema)
  const interpreted = Object.keys(INTERPRETED_LIMITS).filter(
    (limit) => schema[limit] !== undefined && citesOf(schema, limit)?.some(isStatement) === false,
  )
  const documented = Object.entries(schema).filter(([key]) => key === 'enum' || !interpreted.includes(key))
  // The document calls some parameters a string or an integer.
  const isEither = schema['x-types'] !== undefined
  const type = isEither ? 'text or a whole number' : describeAllowed(Object.fromEntries(documented) as TSchema)
  const limits = interpreted.flatMap((limit) => INTERPRETED_LIMITS[limit]?.(schema[limit], value) ?? []).join(', ')
  return limits === '' ? type : `${type} (${limits})`
}

const INTERPRETED_LIMITS: Readonly<Record<string, (limit: unknown, value: unknown) => readonly string[]>> = {
  minimum: (least) => [`${least} or more`],
  maximum: (most, value) => (Number(value) > Number(most) ? [`at most ${most}`] : []),
  minLength: () => ['not empty'],
  pattern: (pattern) => [pattern === SINGLE_LINE ? 'without control characters' : `matching ${pattern}`],
  enum: () => [],
}
