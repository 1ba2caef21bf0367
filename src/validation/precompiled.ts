import type { TSchema } from '@sinclair/typebox'
import { knownSchemas } from './known-schemas.js'
import { checks, type Fits } from './precompiled-checks.js'

const bySchema = new Map(checks.map((fits, at) => [knownSchemas[at], fits]))

/** The check that the build made of a schema; undefined for one that it does not know, such as one of a reading. */
export function precompiledFor(schema: TSchema): Fits | undefined {
  return bySchema.get(schema)
}
