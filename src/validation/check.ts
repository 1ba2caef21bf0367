import type { TSchema } from '@sinclair/typebox'
import { perObject } from '../../schemas/per-object.js'
import type { Check, Departure } from './departure.js'
import { fullCheck } from './full-check.js'
import { precompiledFor } from './precompiled.js'

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
