import { type TSchema, Type } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { jsonOr } from './json.js'
import { isClockTime, timeOf } from './time.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** One local part and one domain, in letters of any script; no quotes, brackets, white space or control characters. */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f]+@[^\s\u0000-,/:-@[-^`{-\u009f.]+(\.[^\s\u0000-,/:-@[-^`{-\u009f.]+)*$/u

function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  return value.length <= 254 && at <= 64 && !/^\.|\.\.|\.@/.test(value) && EMAIL.test(value)
}

export const formats = {
  'date-time': fullFormats['date-time'],
  uri: fullFormats.uri,
  email: isEmail,
  uuid: UUID,
  json: (value: string) => jsonOr(value, undefined) !== undefined,
  instant: (value: string) => timeOf(value) !== undefined,
  clock: (value: string) => value === 'real' || isClockTime(value),
}

export interface Mismatch {
  readonly path: readonly string[]
  readonly keyword: string
  readonly expected: TSchema
  readonly value: unknown
}

const compiler = new Ajv({
  strict: false,
  // JSON.parse reads 1e400 as Infinity; JSON.stringify writes Infinity as null.
  strictNumbers: true,
  validateSchema: false,
  meta: false,
  // Schemas with the same $id may differ.
  addUsedSchema: false,
  allErrors: true,
  verbose: true,
  formats,
  // With the flag u, a pattern runs out of stack on texts of many megabytes.
  unicodeRegExp: false,
  // Optimizing costs more at start than it saves later.
  code: { optimize: false },
})

export function compileValidator(schema: TSchema): ValidateFunction {
  const validate = (value: unknown) => compiler.compile(schema)(value)
  const get = () => takeErrors(compiler.compile(schema))
  return Object.defineProperty(validate as ValidateFunction, 'errors', { get })
}

/** Errors contain values, such as a file: they are let go when read, so read them once. */
function takeErrors(validate: ValidateFunction): readonly ErrorObject[] | null | undefined {
  const { errors } = validate
  validate.errors = null
  return errors
}

export function isValid(schema: TSchema, value: unknown): boolean {
  const validate = compiler.compile(schema)
  validate(value)
  return !takeErrors(validate)
}

const MAX_MISMATCHES = 100

/** After `most` mismatches, stops with a mismatch `unchecked`: its value is the number of unchecked list items. */
export function findMismatches(schema: TSchema, value: unknown, most = MAX_MISMATCHES): readonly Mismatch[] {
  const lists = listsIn(schema, value)
  const validate = compiler.compile(lists.length === 0 ? schema : withoutItems(schema))
  const mismatches = validate(value) ? [] : mismatchesIn(takeErrors(validate) ?? [])
  for (const { path, items, list } of lists) {
    for (const [at, item] of list.entries()) {
      if (mismatches.length >= most)
        return [...mismatches, { path, keyword: 'unchecked', expected: Type.Unknown(), value: list.length - at }]
      const inItem = findMismatches(items, item, most - mismatches.length)
      mismatches.push(...inItem.map((mismatch) => ({ ...mismatch, path: [...path, `${at}`, ...mismatch.path] })))
    }
  }
  return mismatches
}

function listsIn(schema: TSchema, value: unknown) {
  if (schema.items !== undefined && Array.isArray(value)) return [{ path: [], items: schema.items, list: value }]
  if (typeof value !== 'object' || value === null) return []
  const properties = Object.entries<TSchema>(schema.properties ?? {})
  return properties.flatMap(([name, { items }]) => {
    const list = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
    return items !== undefined && Array.isArray(list) ? [{ path: [name], items, list }] : []
  })
}

const schemasWithoutItems = new WeakMap<TSchema, TSchema>()

function withoutItems(schema: TSchema): TSchema {
  const cached = schemasWithoutItems.get(schema)
  if (cached !== undefined) return cached
  const { items: _, properties, ...rest } = schema
  const entries = Object.entries<TSchema>(properties ?? {}).map(([name, { items: __, ...one }]) => [name, one])
  const result: TSchema = { ...(rest as TSchema), ...(properties && { properties: Object.fromEntries(entries) }) }
  schemasWithoutItems.set(schema, result)
  return result
}

/** Drops Ajv's errors about single members of a union, and keeps the error of the union. */
export function mismatchesIn(errors: readonly ErrorObject[]): Mismatch[] {
  return errors.filter(({ schemaPath }) => !/\/anyOf\/\d/.test(schemaPath)).flatMap(mismatchesOf)
}

function mismatchesOf({ instancePath, keyword, params, schema, parentSchema, data }: ErrorObject): readonly Mismatch[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  const parent = parentSchema as TSchema
  if (keyword === 'required') {
    const name = String(params.missingProperty)
    return [{ path: [...path, name], keyword, expected: parent.properties?.[name] ?? {}, value: undefined }]
  }
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty)
    return [{ path: [...path, name], keyword, expected: parent, value: (data as Record<string, unknown>)[name] }]
  }
  const fromMember = keyword === 'anyOf' ? mismatchesOfClosestMember(schema as TSchema[], data) : undefined
  if (fromMember === undefined) return [{ path, keyword, expected: parent, value: data }]
  return fromMember.map((mismatch) => ({ ...mismatch, path: [...path, ...mismatch.path] }))
}

function mismatchesOfClosestMember(members: readonly TSchema[], value: unknown): readonly Mismatch[] | undefined {
  const ofSameType = members.map((member) => findMismatches(member, value)).filter((own) => !own.some(isOfOtherType))
  const [closest, next] = ofSameType.toSorted((left, right) => countTopLevel(left) - countTopLevel(right))
  if (closest === undefined || (next && countTopLevel(closest) === countTopLevel(next))) return undefined
  return closest.some(({ path }) => path.length > 0) ? closest : undefined
}

/** An object can never equal a constant. */
function isOfOtherType({ path, keyword, value }: Mismatch): boolean {
  const isConstant = keyword === 'enum' || keyword === 'const'
  return path.length === 0 && (keyword === 'type' || (isConstant && typeof value === 'object'))
}

function countTopLevel(mismatches: readonly Mismatch[]): number {
  return mismatches.filter(({ path, keyword }) => path.length === (PATH_ENDS_WITH_KEY.has(keyword) ? 1 : 0)).length
}

const PATH_ENDS_WITH_KEY: ReadonlySet<string> = new Set(['required', 'additionalProperties'])
