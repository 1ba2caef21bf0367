import type { TSchema } from '@sinclair/typebox'
import { perObject } from '../../schemas/per-object.js'
import { fullCheck } from './full-check.js'
import { precompiledFor } from './precompiled.js'

/** One way in which a value departs from its schema. */
export interface Departure {
  /** The JSON pointer's segments to the offending value. */
  readonly path: readonly string[]
  /** The kind of departure, as the JSON-Schema keyword that failed. */
  readonly keyword: string
  /** The schema that the value at `path` should fit. */
  readonly expected: TSchema
  /** The offending value; undefined where one is missing. */
  readonly value: unknown
}

/** Returns every way in which a value departs from the schema; an empty list when it fits. */
export type Check = (value: unknown) => readonly Departure[]

const NONE: readonly Departure[] = Object.freeze([])

/** The check of a schema. What the build knows of it tells what fits; where a value departs, the compiler tells how. */
export const checkOf = perObject((schema: TSchema): Check => {
  const fits = precompiledFor(schema)
  let full: Check | undefined
  return (value) => {
    if (fits?.(value) === true) return NONE
    full ??= fullCheck(schema)
    return full(value)
  }
})
