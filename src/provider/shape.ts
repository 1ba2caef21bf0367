import { quote } from '../text/wording.js'
import { isLabel, isName } from './readings/labels.js'

/** Forms that texts have; the first that fits counts. */
const FORMS: readonly (readonly [form: string, is: RegExp])[] = [
  ['date-time in UTC, with milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['date-time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['date-time in UTC, with other fractions', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/],
  ['date-time with an offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d$/],
  ['uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
  ['uri', /^https?:\/\/\S+$/],
  ['email', /^[^\s@]+@[^\s@]+$/],
  ['currency', /^[A-Z]{3}$/],
  ['json', /^\s*(?:\{|\[\s*[[{"\d\]])/],
  ['a number as text', /^-?\d+(?:\.\d+)?$/],
  ['empty', /^$/],
]

/**
 * The type and the form of a value, and never what it says, on one line: `{error: {code: integer, message: text}}`.
 * What lists hold is left out.
 */
export function shapeText(value: unknown): string {
  if (value === undefined) return 'anything'
  if (value === null) return 'null'
  if (typeof value === 'string') return textShape(value)
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (typeof value !== 'object') return typeof value
  const entries = Object.entries(value).filter(([key]) => isName(key))
  const inner = entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => `${key}: ${shapeText(one)}`)
  return `{${inner.join(', ')}}`
}

/** A word of an API, such as `protected`, says nothing of anybody. */
function textShape(text: string): string {
  if (isLabel(text)) return `'${text}'`
  return FORMS.find(([, is]) => is.test(text))?.[0] ?? 'text'
}

/** A value as reports show it: text only by its form, unless it is a word of an API. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? shapeText(value) : quote(value)
}
