import type { TSchema } from '@sinclair/typebox'
import { formats, isValid } from '../contract/check.js'
import { type FileEntry, isFile, WHOLE_NUMBER } from '../contract/fields.js'
import { editDistance } from '../contract/nearest.js'
import { safeDecodeURIComponent } from './decode.js'
import { cleanText, isBlank, isRepairable } from './text.js'

const UNDASHED = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i

/** The first result that fits the schema counts. */
const rewrites: readonly ((text: string, schema: TSchema) => string | undefined)[] = [
  (text) => text,
  (text) => /^(["'`])(.*)\1$/.exec(text.trim())?.[2],
  (text) => safeDecodeURIComponent(text),
  (text, { format }) =>
    format === 'email' ? (/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, '')) : undefined,
  (text, { format }) => (format === 'email' ? text.replace(/[^\p{L}\p{N}]+$/u, '') : undefined),
  (text, schema) => (isUuid(schema) ? text.replace(/^urn:uuid:/i, '').replaceAll(/[{}\s]/g, '') : undefined),
  (text, schema) => (isUuid(schema) ? text.replace(UNDASHED, '$1-$2-$3-$4-$5') : undefined),
  (text, { type }) => (type === 'integer' ? /^\s*\+?0*([1-9]\d*|0)(?:\.0{0,2})?\s*$/.exec(text)?.[1] : undefined),
  (text, { enum: values }) =>
    (values as readonly string[] | undefined)?.find(
      (one) => isSameWord(one, text) || (one.length >= LONG_WORD && editDistance(one, text) <= MAX_EDITS),
    ),
  (text, schema) => nearestDocumentedValue(text, schema),
  // In a code or an id, a space would name another record.
  (text, schema) => (schema['x-free-text'] === true ? text.replaceAll(/[\t-\r]+/g, ' ').trim() : undefined),
]

const LONGEST = 1_000

export function repairValue(value: unknown, schema: TSchema): string | FileEntry | undefined {
  if (isFile(schema)) return typeof value === 'object' && value !== null ? (value as FileEntry) : undefined
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (String(value).length > LONGEST || !isRepairable(String(value))) return undefined
  const clean = cleanText(String(value))
  for (const rewrite of rewrites) {
    const text = rewrite(clean, schema)
    if (text !== undefined && text !== '' && isRepairable(text) && fits(text, schema)) return text
  }
  return undefined
}

function isUuid(schema: TSchema): boolean {
  return schema.format === 'uuid' || schema['x-resembles'] === 'uuid'
}

function fits(text: string, schema: TSchema): boolean {
  if ((isUuid(schema) && !formats.uuid.test(text)) || nearestDocumentedValue(text, schema) !== undefined) return false
  return isValid(schema, schema.type === 'integer' && WHOLE_NUMBER.test(text) ? Number(text) : text)
}

const MAX_EDITS = 2
/** Shorter words resemble others by chance. */
const LONG_WORD = 8

function nearestDocumentedValue(text: string, { 'x-resembles': documented }: TSchema): string | undefined {
  if (!Array.isArray(documented) || documented.includes(text)) return undefined
  return documented.find((value: string) => isSameWord(value, text) || editDistance(value, text) <= MAX_EDITS)
}

export function undocumentedValueKind(value: string, schema: TSchema): 'not-a-uuid' | 'misspelled-value' | undefined {
  const { 'x-resembles': documented } = schema
  if (documented === undefined || isBlank(value)) return undefined
  if (documented === 'uuid') return formats.uuid.test(value) ? undefined : 'not-a-uuid'
  return nearestDocumentedValue(value.slice(0, LONGEST), schema) === undefined ? undefined : 'misspelled-value'
}

/** Ignores case and signs: `createdAt` is `created_at`; `descending` is `desc`. */
function isSameWord(value: string, text: string): boolean {
  const lettersOf = (word: string) => word.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  const [expected, actual] = [lettersOf(value), lettersOf(text)]
  return expected !== '' && (actual === expected || actual === `${expected}ending`)
}
