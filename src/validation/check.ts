import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { isClockTime } from '../../schemas/clock-time.js'
import { NO_CONTROL_CHARACTERS } from '../../schemas/common.js'
import { EMPTY_OR } from '../../schemas/emptiness.js'
import { perObject } from '../../schemas/per-object.js'
import { jsonOr } from '../text/json.js'

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
let ajv: Ajv | undefined

/** The check of a schema, compiled when it is first called. */
export const checkOf = perObject((schema: TSchema): Check => {
  let compiled: ValidateFunction | undefined
  return (value) => {
    compiled ??= compile(schema)
    return compiled(value) ? NONE : (compiled.errors ?? []).flatMap(departuresOf)
  }
})

function compile(schema: TSchema): ValidateFunction {
  ajv ??= newAjv()
  // Schemas are kept by identity: an $id is a name for people here, and two of the same must not clash.
  const { $id: _, ...rest } = schema
  return ajv.compile(rest)
}

/** Exact: nothing is coerced, removed or defaulted, so that what is checked is what was sent. */
function newAjv(): Ajv {
  const instance = new Ajv({ allErrors: true, strict: false, verbose: true, validateFormats: true, code: { regExp } })
  addFormats.default(instance, ['email', 'uuid', 'date-time', 'uri'])
  instance.addFormat('email', isEmail)
  instance.addFormat('uuid', UUID)
  instance.addFormat('json', isJson)
  instance.addKeyword({ keyword: 'x-clock', type: 'string', errors: false, validate: isClock })
  return instance
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const SAYS_SOMETHING = /[^\u0000-\u0020\u007f-\u00a0]/

/** What `NO_CONTROL_CHARACTERS` says, in two looks: as one pattern it runs out of stack on texts of many megabytes. */
function isLine(text: string): boolean {
  return !CONTROL.test(text) && SAYS_SOMETHING.test(text)
}

/** How the patterns of schemas are looked for. */
const regExp = Object.assign(
  (pattern: string, flags: string) => {
    if (pattern === NO_CONTROL_CHARACTERS) return { test: isLine }
    if (pattern === EMPTY_OR + NO_CONTROL_CHARACTERS) return { test: (text: string) => text === '' || isLine(text) }
    return new RegExp(pattern, flags)
  },
  { code: 'new RegExp' },
)

/** The text form of RFC 9562, without `urn:uuid:`. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** No format: editors know none of that name. */
function isClock(_: unknown, text: string): boolean {
  return text === 'real' || isClockTime(text)
}

function isJson(value: string): boolean {
  return jsonOr(value, undefined) !== undefined
}

/** One local part and one domain; letters of any script; no white space, quotes, brackets or control characters. */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f.]+(\.[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f.]+)*$/u

function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  return value.length <= 254 && at <= 64 && !/^\.|\.\.|\.@/.test(value) && EMAIL.test(value)
}

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
