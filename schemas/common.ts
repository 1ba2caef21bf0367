import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { type Cites, cited } from './cites.js'

/** A closed set of strings, as a JSON-Schema `enum`. */
export function oneOf<const V extends readonly string[]>(values: V, options: SchemaOptions = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: values, ...options })
}

/**
 * Not blank, and no control characters (C0, DEL, C1), wherever a name is read (I-19). The blanks before its first letter
 * and the letter have no character in common: else a long text that does not match is divided in every way.
 */
export const NO_CONTROL_CHARACTERS =
  '^[\\u0020\\u00a0]*[^\\u0000-\\u0020\\u007f-\\u00a0][^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** Where the samples' links lead; a server puts its own base URL there. */
export const SAMPLE_ORIGIN = 'http://127.0.0.1:4010'

/** A text of a success body whose value is ours: the document shows its name and its type. */
export const word = (cites: Cites, options: SchemaOptions = {}) => cited([...cites, 'I-22'], Type.String(options))

/** A person's name or another line of text. */
export const line = (options: SchemaOptions = {}) =>
  Type.String({
    minLength: 1,
    pattern: NO_CONTROL_CHARACTERS,
    // A text that says nothing, and one that no mail could carry, are refused by interpretation.
    'x-limits': { minLength: ['I-20'], pattern: ['I-19'] },
    ...options,
  })

/** An identifier that the document calls a string or an integer: on the wire there is no difference. */
export const identifier = (options: SchemaOptions = {}) => line({ 'x-types': ['string', 'integer'], ...options })

/** Whole numbers as they are read, strictly: `1e2`, `0x10`, `+1`, `01` and `1.0` stay text. */
export const WHOLE_NUMBER = /^(0|-?[1-9]\d{0,15})$/

/** A whole number from 1 up to the last one that JSON readers can tell from its neighbours. */
export const count = (options: SchemaOptions = {}) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    'x-limits': { minimum: ['I-06'], maximum: ['I-06'] },
    ...options,
  })

export const uuid = (options: SchemaOptions = {}) => Type.String({ format: 'uuid', ...options })

export const email = (options: SchemaOptions = {}) => Type.String({ format: 'email', ...options })

export const dateTime = (options: SchemaOptions = {}) => Type.String({ format: 'date-time', ...options })

/** A time as the API gives it: in UTC, and written so. */
export const utcTime = (options: SchemaOptions = {}) =>
  dateTime({
    pattern: 'Z$',
    'x-allowed': 'an ISO 8601 time in UTC such as 2026-01-15T09:30:00.000Z',
    ...options,
  })

/** An uploaded file of a multipart/form-data body, as the handlers read it. */
export interface UploadedFile {
  /** The name the client gave: shown to people, never used as a path. */
  readonly filename: string
  /** The media type the client gave: never trusted. */
  readonly mimetype: string
  readonly size: number
  /** Empty once the exchange is over. */
  readonly content: Uint8Array
  /** The content's sha256, in lower-case hex. */
  readonly sha256: string
}

/** A form's values by their literal part names, repeated ones as lists. */
export type Form = Readonly<Record<string, FormValue | readonly FormValue[]>>
export type FormValue = string | UploadedFile

/** A file part; `mediaType` is what the document expects of it. */
export const file = (mediaType: string, options: SchemaOptions = {}) =>
  Type.Unsafe<UploadedFile>({
    type: 'object',
    properties: { filename: { type: 'string' }, mimetype: { type: 'string' }, size: { type: 'integer' } },
    required: ['filename', 'size'],
    contentMediaType: mediaType,
    ...options,
  })

/** A value as a schema's example has it; empty where there is none. */
export function exampleOf(schema: TSchema | undefined): string {
  return String(schema?.examples?.[0] ?? schema?.enum?.[0] ?? '')
}

/** Whether a property of a form is a file part. */
export function isFile(schema: TSchema): boolean {
  return typeof schema.contentMediaType === 'string'
}

export const USER_TYPE = 'ENTERPRISE_API'

/** The query parameter `user_type` where it is required (document, "Endpoints"). */
export const userType = (cites: Cites) =>
  cited(
    [...cites, 'SA.6'],
    oneOf([USER_TYPE], { description: 'Selects the enterprise API user kind.', examples: [USER_TYPE] }),
    {
      enum: cites,
    },
  )
