import type { TSchema } from '@sinclair/typebox'
import { citesOf, isStatement } from './cites.js'
import { SINGLE_LINE } from './fields.js'
import { findNearest } from './nearest.js'

export const REDACTED = '[redacted]'

const LONGEST_QUOTE = 80
const LONGEST_LIST = 10

export function quote(value: unknown): string {
  if (!Array.isArray(value)) return quoteOne(value)
  if (value.length === 0) return '[]'
  const items = value.slice(0, LONGEST_LIST).map(quoteOne).join(', ')
  return value.length > LONGEST_LIST ? `${items}, …` : items
}

function quoteOne(value: unknown): string {
  if (typeof value === 'string') return `'${onOneLine(value)}'`
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return 'a Date: pass its toISOString()'
  const { filename } = Object(value) as { readonly filename?: unknown }
  if (typeof filename === 'string') return `the file '${onOneLine(filename)}'`
  try {
    return onOneLine(JSON.stringify(value) ?? 'nothing')
  } catch {
    return 'a value that is too large or too deeply nested to show'
  }
}

export function quoteSafely(schema: TSchema, value: unknown): string {
  const { secret } = schema['x-option'] ?? {}
  if (secret === 'whole-value') return 'the value given'
  if (secret === 'credentials') return typeof value === 'string' ? quote(withoutCredentials(value)) : 'the value given'
  return quoteOne(value)
}

/** Redacts user, password, query and fragment, even if the URL is invalid. */
export function withoutCredentials(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:\/\/|\/\/)?.*(@|%40)/is, `$1${REDACTED}@`)
    .replace(/([?#]).+$/s, `$1${REDACTED}`)
}

/** Control characters, bidirectional marks and zero-width characters, which break lines or hide text. */
export const UNSAFE_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g

export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

export function onOneLine(text: string, most = LONGEST_QUOTE): string {
  const shown = text.slice(0, most).replace(UNSAFE_CHARACTERS, escapeCharacter)
  return text.length > most ? `${shown}…` : shown
}

/** A client's texts must not move the cursor, or give CI runners the commands `##[NAME]` and `##vso[NAME]`. */
export function printable(text: string, most: number): string {
  return onOneLine(text, most).replaceAll(/##(?=\w*\[)/g, '# #')
}

export function describeInexact(number: string): string {
  return `The number ${onOneLine(number)} would become ${Number(number)}: write a number that JavaScript can hold, or text in quotes.`
}

export function describeAllowed(schema: TSchema): string {
  if (typeof schema['x-allowed'] === 'string') return schema['x-allowed']
  if (schema.contentMediaType !== undefined) return 'a file'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum))
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(describeAllowed).join(' or ')
  return FORMATS[schema.format as string] ?? TYPES[schema.type as string]?.(schema) ?? 'another value'
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address such as ada@example.test',
  uuid: 'a UUID such as 3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
  'date-time': 'an ISO 8601 time such as 2026-01-15T09:30:00.000Z',
  uri: 'a URL',
}

const TYPES: Readonly<Record<string, (schema: TSchema) => string>> = {
  integer: (schema) => `a whole number${range(schema)}`,
  number: (schema) => `a number${range(schema)}`,
  boolean: () => 'true or false',
  array: (schema) => (schema.items ? `a list of ${describeAllowed(schema.items)}` : 'a list'),
  object: (schema) => {
    const keys = Object.keys(schema.properties ?? {})
    return keys.length === 0 ? 'an object' : `an object with ${keys.join(', ')}`
  },
  string: ({ pattern, minLength }) => {
    if (pattern !== undefined && pattern !== SINGLE_LINE) return `text that matches ${pattern}`
    const length = minLength > 0 ? ' of at least one character' : ''
    return `text${length}${pattern === undefined ? '' : ', without control characters'}`
  },
}

function range({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined) return maximum === undefined ? ` of ${minimum} or more` : ` from ${minimum} to ${maximum}`
  return maximum === undefined ? '' : ` up to ${maximum}`
}

/** Limits that only an interpretation sets are in parentheses: `a whole number (1 or more)`. */
export function describeExpected(schema: TSchema, value?: unknown): string {
  if (schema['x-allowed'] !== undefined) return describeAllowed(schema)
  const interpreted = Object.keys(INTERPRETED_LIMITS).filter(
    (limit) => schema[limit] !== undefined && citesOf(schema, limit)?.some(isStatement) === false,
  )
  const documented = Object.entries(schema).filter(([key]) => !interpreted.includes(key))
  // The document calls some parameters a string or an integer.
  const isEither = schema['x-types'] !== undefined
  const type = isEither ? 'text or a whole number' : describeAllowed(Object.fromEntries(documented) as TSchema)
  const limits = interpreted.flatMap((limit) => INTERPRETED_LIMITS[limit]?.(schema[limit], value) ?? []).join(', ')
  return limits === '' ? type : `${type} (${limits})`
}

const INTERPRETED_LIMITS: Readonly<Record<string, (limit: unknown, value: unknown) => readonly string[]>> = {
  minimum: (least) => [`${least} or more`],
  maximum: (most, value) => (Number(value) > Number(most) ? [`at most ${most}`] : []),
  minLength: () => ['not empty'],
  pattern: (pattern) => [pattern === SINGLE_LINE ? 'without control characters' : `matching ${pattern}`],
}

export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  // Not every letter may differ.
  return findNearest(word, candidates, Math.min(word.length - 1, Math.max(2, Math.floor(word.length * 0.4))))
}

export function didYouMean(word: string, candidates: Iterable<string>): string {
  const nearest = nearestWord(word, candidates)
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`
}

/** Copies the text: a slice would keep the whole text in memory. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()
}
