import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import { formats, regExp } from './formats.js'
import { withoutOtherMembers } from './unions.js'

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

/** Exact: nothing is coerced, removed or defaulted, so that what is checked is what was sent. The schemas are ours. */
const compiler = new Ajv({
  strict: false,
  // Infinity is what 1e400 is read as, and written as null.
  strictNumbers: true,
  validateSchema: false,
  // An $id is a name for people here.
  addUsedSchema: false,
  allErrors: true,
  verbose: true,
  formats,
  // Optimizing costs a start more than any check gains by it.
  code: { regExp, optimize: false },
})

/** Departures that are told of one value: a file of nothing but mistakes has millions. */
const MOST = 10_000

/** The check of a schema, which finds all departures. Ajv compiles a schema when it is first used. */
export function checkOf(schema: TSchema): Check {
  return (value) => {
    const validate = compiler.compile(schema)
    return validate(value)
      ? NONE
      : withoutOtherMembers(validate.errors ?? [])
          .slice(0, MOST)
          .flatMap(departuresOf)
  }
}

const NONE: readonly Departure[] = Object.freeze([])

function departuresOf(error: ErrorObject): Departure[] {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/').map(unescapePointer)
  const parent = error.parentSchema as TSchema
  switch (error.keyword) {
    case 'required': {
      const name = String(error.params.missingProperty)
      return [
        { path: [...path, name], keyword: 'required', expected: parent.properties?.[name] ?? {}, value: undefined },
      ]
    }
    case 'additionalProperties': {
      const name = String(error.params.additionalProperty)
      const value = (error.data as Record<string, unknown>)[name]
      return [{ path: [...path, name], keyword: 'additionalProperties', expected: parent, value }]
    }
    default:
      return [{ path, keyword: error.keyword, expected: parent, value: error.data }]
  }
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
