import type { TSchema } from '@sinclair/typebox'

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
