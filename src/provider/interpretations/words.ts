import { quote } from '../../text/wording.js'
import { formats } from '../../validation/check.js'

/** Words that APIs use for programs, and that name no person. */
const VOCABULARY: ReadonlySet<string> = new Set([
  ...['bad request', 'unauthorized', 'forbidden', 'not found', 'conflict', 'unprocessable entity'],
  ...['unprocessable content', 'internal server error', 'accepted', 'validation error', 'invalid request'],
  ...['about:blank', 'success', 'successful', 'succeeded', 'ok', 'okay', 'done', 'complete', 'completed', 'fine'],
  ...['created', 'updated', 'uploaded', 'stored', 'saved', 'sent', 'invited', 'found', 'verified', 'protected'],
  ...['error', 'errors', 'fail', 'failed', 'failure', 'invalid', 'denied', 'refused', 'rejected', 'fault', 'problem'],
  ...['purchase', 'allocation', 'return', 'free credit', 'admin', 'member', 'enterprise api', 'pending', 'active'],
  ...['sign', 'self', 'link', 'url', 'text', 'none'],
])

/** Whether a text is a word of an API, however it is written: `FREE-CREDIT` as well as `free_credit`. */
export function isApiWord(text: string): boolean {
  const words = text.toLowerCase()
  return VOCABULARY.has(words) || VOCABULARY.has(words.replace(/[_-]+/g, ' '))
}

export function isName(key: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(key)
}

const FORMS: readonly (readonly [form: string, is: RegExp])[] = [
  ['date-time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/],
  ['date-time with an offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d$/],
  ['uuid', formats.uuid],
  ['uri', /^https?:\/\/\S+$/],
  ['email', /^[^\s@]+@[^\s@]+$/],
]

/** The type and form of a value on one line, and never its data: `{error: {code: integer, message: text}}`. */
export function shapeText(value: unknown): string {
  if (value === undefined) return 'anything'
  if (typeof value === 'string')
    return isApiWord(value) ? `'${value}'` : (FORMS.find(([, is]) => is.test(value))?.[0] ?? 'text')
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  const entries = Object.entries(value).filter(([key]) => isName(key))
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, inner]) => `${key}: ${shapeText(inner)}`).join(', ')}}`
}

/** A value as reports show it: of text only the form, unless it is a word of an API. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? shapeText(value) : quote(value)
}
