import { isDeepStrictEqual as isSame } from 'node:util'
import { formats } from '../../../engine/contract/check.js'
import { groupBy } from '../../../engine/contract/group-by.js'
import { isObject } from '../../../engine/contract/json.js'
import type { Template } from '../../../engine/contract/template.js'
import { quote } from '../../../engine/contract/wording.js'

/** Words that APIs use for programs: no personal data. */
const VOCABULARY: ReadonlySet<string> = new Set([
  ...['bad request', 'unauthorized', 'forbidden', 'not found', 'conflict', 'unprocessable entity'],
  ...['unprocessable content', 'internal server error', 'accepted', 'validation error', 'invalid request'],
  ...['about:blank', 'success', 'successful', 'succeeded', 'ok', 'okay', 'done', 'complete', 'completed', 'fine'],
  ...['created', 'updated', 'uploaded', 'stored', 'saved', 'sent', 'invited', 'found', 'verified', 'protected'],
  ...['error', 'errors', 'fail', 'failed', 'failure', 'invalid', 'denied', 'refused', 'rejected', 'fault', 'problem'],
  ...['purchase', 'allocation', 'return', 'free credit', 'admin', 'member', 'enterprise api', 'pending', 'active'],
  ...['sign', 'self', 'link', 'url', 'text', 'none'],
])

export function isApiWord(text: string): boolean {
  const words = text.toLowerCase()
  return VOCABULARY.has(words) || VOCABULARY.has(words.replace(/[_-]+/g, ' '))
}

const FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['date-time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/],
  ['date-time with an offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d$/],
  ['uuid', formats.uuid],
  ['uri', /^https?:\/\/\S+$/],
  ['email', /^[^\s@]+@[^\s@]+$/],
]

/** The form of a value without its data: `{error: {code: integer, message: text}}`. */
export function shapeText(value: unknown): string {
  if (value === undefined) return 'anything'
  if (typeof value === 'string')
    return isApiWord(value) ? `'${value}'` : (FORMS.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text')
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (!isObject(value)) return value === null ? 'null' : typeof value
  const sorted = namedEntries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, inner]) => `${key}: ${shapeText(inner)}`).join(', ')}}`
}

/** A value in reports: numbers as they are, of texts, lists and objects only the form. */
export function valueText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'object' ? shapeText(value) : quote(value)
}

function namedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([key]) => /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(key))
}

/** The keys of a value without its data; `text` and `number` give what replaces it. */
export function templateOf(
  value: unknown,
  text: (text: string, key: string) => string,
  number: (value: number) => Template = (value) => value,
  key = '',
): Template {
  if (typeof value === 'string') return text(value, key)
  if (typeof value === 'number') {
    const own = number(value)
    // A large number may be an identifier, unless it is a duration in seconds.
    return typeof own === 'number' && Math.abs(own) >= 1_000 && own % 1_800 !== 0 ? 1 : own
  }
  if (Array.isArray(value)) return value.map((one) => templateOf(one, text, number, key))
  if (!isObject(value)) return value as Template
  return Object.fromEntries(namedEntries(value).map(([name, inner]) => [name, templateOf(inner, text, number, name)]))
}

export const apiWordOr = (text: string) => (isApiWord(text) ? text : 'text')

/** The best first. */
const MESSAGE_KEYS = 'message detail error_description description msg reason title error errors'.split(' ')

/** The value of `errorBody` that fits most of some errors; undefined if there is none. */
export function errorShape(errors: readonly { readonly status: number; readonly body: unknown }[]): unknown {
  const keys = new Set(errors.flatMap(({ body }) => keysOfTexts(body)))
  const messageKey = MESSAGE_KEYS.find((key) => keys.has(key))
  const text = (text: string, key: string) => (key.toLowerCase() === messageKey ? '{message}' : apiWordOr(text))
  const templates = errors.map(({ status, body }) =>
    templateOf(body, text, (value) => (value === status ? '{status}' : value)),
  )
  const groups = [...groupBy(templates, (one) => JSON.stringify(one)).values()]
  const [[template] = []] = groups.sort((one, other) => other.length - one.length)
  if (!/\{(?:message|status)\}/.test(JSON.stringify(template) ?? '')) return undefined
  if (isSame(template, { error: { code: '{status}', message: '{message}' } })) return 'nested'
  return isSame(template, { status: 'error', message: '{message}' }) ? 'flat' : template
}

function keysOfTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOfTexts)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    [inner].flat().some((one) => typeof one === 'string') ? [key.toLowerCase()] : keysOfTexts(inner),
  )
}
