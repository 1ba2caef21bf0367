import { type ObjectOptions, type SchemaOptions, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { TIME } from './time.js'

export function closedObject<P extends TProperties>(properties: P, options: ObjectOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export function partial<P extends TProperties>(properties: P, options: ObjectOptions = {}) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false, ...options })
}

export function oneOf<const V extends readonly string[]>(values: V, options: SchemaOptions = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: values, ...options })
}

const INVISIBLE =
  '\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0'

export const BLANK = new RegExp(`^[\\s${INVISIBLE}]*$`)
export const NOT_BLANK = `[^\\s${INVISIBLE}]`

/** Not blank, no control characters (C0, DEL, C1). Its first two character classes are disjoint: no backtracking. */
export const SINGLE_LINE = `^[\\u0020${INVISIBLE}]*[^\\u0000-\\u0020\\u007f-\\u009f${INVISIBLE}][^\\u0000-\\u001f\\u007f-\\u009f]*$`

/** In sample bodies, the server replaces this origin with its own. */
export const SAMPLE_ORIGIN = 'http://127.0.0.1:4010'

/** Characters of a text that is stored; a longer one is invalid. */
export const LONGEST_FIELD = 64 * 1024

/** Strict: `1e2`, `0x10`, `+1`, `01` and `1.0` stay text. */
export const WHOLE_NUMBER = /^(0|-?[1-9]\d{0,15})$/

export const uuid = (options: SchemaOptions = {}) => Type.String({ format: 'uuid', ...options })

export const email = (options: SchemaOptions = {}) => Type.String({ format: 'email', ...options })

/** A text that can be sent as one word of a header. */
export const headerWord = (options: SchemaOptions = {}) =>
  Type.String({ pattern: '^[!-~]+$', 'x-allowed': 'ASCII characters without blanks', ...options })

export const isoTime = (options: SchemaOptions = {}) =>
  Type.String({ format: 'instant', 'x-allowed': TIME, ...options })

export const utcTime = (options: SchemaOptions = {}) =>
  Type.String({
    format: 'date-time',
    pattern: 'Z$',
    'x-allowed': 'an ISO 8601 time in UTC such as 2026-01-15T09:30:00.000Z',
    ...options,
  })

export interface FileEntry {
  readonly filename: string
  /** Declared by the client. */
  readonly mimetype: string
  readonly size: number
  readonly sha256: string
}

export interface UploadedFile extends FileEntry {
  readonly content: Buffer
}

/** Keyed by part name as sent; repeated parts are a list. */
export type Form = Readonly<Record<string, FormValue | readonly FormValue[]>>
export type FormValue = string | UploadedFile

export const file = (mediaType: string, options: SchemaOptions = {}) =>
  Type.Unsafe<UploadedFile>({
    type: 'object',
    properties: { filename: { type: 'string' }, mimetype: { type: 'string' }, size: { type: 'integer' } },
    required: ['filename', 'size'],
    contentMediaType: mediaType,
    ...options,
  })

export function exampleOf(schema: TSchema | undefined): string {
  return String(schema?.examples?.[0] ?? schema?.enum?.[0] ?? '')
}

export function isFile(schema: TSchema): boolean {
  return typeof schema.contentMediaType === 'string'
}

export function isAbsentWhenEmpty(schema: TSchema): boolean {
  return schema['x-absent-when-empty'] === true
}
