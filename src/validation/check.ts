import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isClockTime } from '../../schemas/clock-time.js'
import { NO_CONTROL_CHARACTERS } from '../../schemas/common.js'
import { EMPTY_OR } from '../../schemas/emptiness.js'
import { jsonOr } from '../text/json.js'
import { withoutOtherMembers } from './unions.js'

/** The text form of RFC 9562, without `urn:uuid:`. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * One local part and one domain, in letters of any script: no white space, quotes, brackets or control characters, and
 * in a domain no ASCII character that host names do not have, but the underscore.
 */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f]+@[^\s\u0000-,/:-@[-^`{-\u009f.]+(\.[^\s\u0000-,/:-@[-^`{-\u009f.]+)*$/u

function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  return value.length <= 254 && at <= 64 && !/^\.|\.\.|\.@/.test(value) && EMAIL.test(value)
}

function isJson(value: string): boolean {
  return jsonOr(value, undefined) !== undefined
}

function isClock(value: string): boolean {
  return value === 'real' || isClockTime(value)
}

/** What the formats of schemas are. */
export const formats = {
  'date-time': fullFormats['date-time'],
  uri: fullFormats.uri,
  email: isEmail,
  uuid: UUID,
  json: isJson,
  clock: isClock,
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const SAYS_SOMETHING = /[^\u0000-\u0020\u007f-\u00a0]/

/** What `NO_CONTROL_CHARACTERS` says, in two looks: as one pattern it runs out of stack on texts of many megabytes. */
function isLine(text: string): boolean {
  return !CONTROL.test(text) && SAYS_SOMETHING.test(text)
}

/** A pattern that is looked for by other means; checks know it by its text. */
const looked = (pattern: string, test: (text: string) => boolean) => ({ test, toString: () => pattern })

/** How the patterns of schemas are looked for. Ajv asks for a `code`, which is for checks that are written to files. */
const regExp = Object.assign(
  (pattern: string, flags: string) => {
    if (pattern === NO_CONTROL_CHARACTERS) return looked(pattern, isLine)
    if (pattern === EMPTY_OR + NO_CONTROL_CHARACTERS) return looked(pattern, (text) => text === '' || isLine(text))
    return new RegExp(pattern, flags)
  },
  { code: 'regExp' },
)

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
  meta: false,
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
