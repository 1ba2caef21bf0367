import type { TSchema } from '@sinclair/typebox'
import { citesOf, isStatement } from '../contract/cites.js'
import { NO_CONTROL_CHARACTERS } from '../contract/fields.js'
import { describeAllowed } from '../contract/wording.js'

/** Our own limits stand in brackets: `a whole number (1 or more)`. */
export function expectedOf(schema: TSchema, value?: unknown): string {
  const ours = Object.keys(LIMITS_OF_OURS).filter((limit) => schema[limit] !== undefined && isOurs(schema, limit))
  if (schema['x-allowed'] !== undefined) return describeAllowed(schema)
  const documented = Object.entries(schema).filter(([key]) => key === 'enum' || !ours.includes(key))
  // The document calls some parameters a string or an integer.
  const isEither = schema['x-types'] !== undefined
  const type = isEither ? 'text or a whole number' : describeAllowed(Object.fromEntries(documented) as TSchema)
  const limits = ours.flatMap((limit) => LIMITS_OF_OURS[limit]?.(schema[limit], value) ?? []).join(', ')
  return limits === '' ? type : `${type} (${limits})`
}

function isOurs(schema: TSchema, limit: string): boolean {
  const cites = citesOf(schema, limit)
  return cites !== undefined && !cites.some(isStatement)
}

const LIMITS_OF_OURS: Readonly<Record<string, (limit: unknown, value: unknown) => readonly string[]>> = {
  minimum: (least) => [`${least} or more`],
  maximum: (most, value) => (Number(value) > Number(most) ? [`at most ${most}`] : []),
  minLength: () => ['not empty'],
  pattern: (pattern) => [pattern === NO_CONTROL_CHARACTERS ? 'without control characters' : `matching ${pattern}`],
  enum: () => [],
}
