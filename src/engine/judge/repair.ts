import type { TSchema } from '@sinclair/typebox'
import { formats, isValid } from '../contract/check.js'
import { type FileEntry, isFile, WHOLE_NUMBER } from '../contract/fields.js'
import { lettersApart } from '../contract/nearest.js'
import { safeDecodeURIComponent } from './decode.js'
import { cleaned, isBlank, isRepairable } from './text.js'

const UNDASHED = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i

/** The first result that fits the schema counts. */
const rewritings: readonly ((text: string, schema: TSchema) => string | undefined)[] = [
  (text) => text,
  (text) => /^(["'`])(.*)\1$/.exec(text.trim())?.[2],
  (text) => safeDecodeURIComponent(text),
  (text, { format }) =>
    format === 'email' ? (/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, '')) : undefined,
  (text, { format }) => (format === 'email' ? text.replace(/[^\p{L}\p{N}]+$/u, '') : undefined),
  (text, schema) => (isUuid(schema) ? text.replace(/^urn:uuid:/i, '').replaceAll(/[{}\s]/g, '') : undefined),
  (text, schema) => (isUuid(schema) ? text.replace(UNDASHED, '$1-$2-$3-$4-$5') : undefined),
  (text, { type }) => (type === 'integer' ? /^\s*\+?0*([1-9]\d*|0)(?:\.0{0,2})?\s*$/.exec(text)?.[1] : undefined),
  (text, { enum: values }) => (values as readonly string[] | undefined)?.find((one) => sameLetters(one, text)),
  (text, schema) => nearlyDocumented(text, schema),
  (text) => text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim(),
]

const LONGEST = 1_000

export function repairValue(value: unknown, schema: TSchema): string | FileEntry | undefined {
  if (isFile(schema)) return typeof value === 'object' && value !== null ? (value as FileEntry) : undefined
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (String(value).length > LONGEST || !isRepairable(String(value))) return undefined
  const clean = cleaned(String(value))
  for (const rewrite of rewritings) {
    const text = rewrite(clean, schema)
    if (text !== undefined && text !== '' && isRepairable(text) && fits(text, schema)) return text
  }
  return undefined
}

function isUuid(schema: TSchema): boolean {
  return schema.format === 'uuid' || schema['x-resembles'] === 'uuid'
}

function fits(text: string, schema: TSchema): boolean {
  if ((isUuid(schema) && !formats.uuid.test(text)) || nearlyDocumented(text, schema) !== undefined) return false
  return isValid(schema, schema.type === 'integer' && WHOLE_NUMBER.test(text) ? Number(text) : text)
}

const MOST_APART = 2

function nearlyDocumented(text: string, { 'x-resembles': like }: TSchema): string | undefined {
  if (!Array.isArray(like) || like.includes(text)) return undefined
  const documented: readonly string[] = like
  return documented.find((one) => sameLetters(one, text) || lettersApart(one, text) <= MOST_APART)
}

export function unlikeDocumented(value: string, schema: TSchema): 'not-a-uuid' | 'misspelled-value' | undefined {
  const { 'x-resembles': like } = schema
  if (like === undefined || isBlank(value)) return undefined
  if (like === 'uuid') return formats.uuid.test(value) ? undefined : 'not-a-uuid'
  return nearlyDocumented(value.slice(0, LONGEST), schema) === undefined ? undefined : 'misspelled-value'
}

/** `createdAt` for `created_at`, `descending` for `desc`. */
function sameLetters(value: string, text: string): boolean {
  const [wanted, given] = [value, text].map((one) => one.toLowerCase().replaceAll(/[^a-z]/g, '')) as [string, string]
  return wanted !== '' && (given === wanted || given === `${wanted}ending`)
}
