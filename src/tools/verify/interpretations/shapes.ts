import { formats } from '../../../engine/contract/check.js'
import { groupBy } from '../../../engine/contract/group-by.js'
import { isObject } from '../../../engine/contract/json.js'
import type { Template } from '../../../engine/contract/template.js'
import { quote } from '../../../engine/contract/wording.js'

const COMMON_WORDS = `
bad request, unauthorized, forbidden, not found, conflict, unprocessable entity, unprocessable content,
internal server error, accepted, validation error, invalid request, about:blank, success, successful, succeeded, ok,
okay, done, complete, completed, fine, created, updated, uploaded, stored, saved, sent, found, error, errors, fail,
failed, failure, invalid, denied, refused, rejected, fault, problem, pending, active, self, link, url, text, none`
  .trim()
  .split(/,\s/)

const FORMATS: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['date-time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/],
  ['date-time with an offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d$/],
  ['uuid', formats.uuid],
  ['uri', /^https?:\/\/\S+$/],
  ['email', /^[^\s@]+@[^\s@]+$/],
]

/** Describes a provider's answers without their data. */
export class Shapes {
  readonly #words: ReadonlySet<string>

  constructor(vocabulary: readonly string[]) {
    this.#words = new Set([...COMMON_WORDS, ...vocabulary])
  }

  #isKnown(text: string): boolean {
    const lower = text.toLowerCase()
    return this.#words.has(lower) || this.#words.has(lower.replace(/[_-]+/g, ' '))
  }

  /** Replaces a text by `text`, unless it is a known word. */
  maskText(text: string): string {
    return this.#isKnown(text) ? text : 'text'
  }

  describeShape(value: unknown): string {
    if (value === undefined) return 'anything'
    if (typeof value === 'string')
      return this.#isKnown(value) ? `'${value}'` : (FORMATS.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text')
    if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
    if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
    if (!isObject(value)) return value === null ? 'null' : typeof value
    const sorted = entriesWithPlainKeys(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${sorted.map(([key, inner]) => `${key}: ${this.describeShape(inner)}`).join(', ')}}`
  }

  /** Quotes numbers and booleans; describes the shape of other values. */
  describeValue(value: unknown): string {
    return typeof value === 'string' || typeof value === 'object' ? this.describeShape(value) : quote(value)
  }

  /** Replaces texts with `replaceText(…)`, and numbers with `replaceNumber(…)`. */
  templateOf(
    value: unknown,
    replaceText: (text: string, key: string) => string,
    replaceNumber: (value: number) => Template = (value) => value,
    key = '',
  ): Template {
    if (typeof value === 'string') return replaceText(value, key)
    if (typeof value === 'number') {
      const replaced = replaceNumber(value)
      // A large number may be an identifier, unless it is a duration in seconds.
      const mayBeId = typeof replaced === 'number' && Math.abs(replaced) >= 1_000 && replaced % 1_800 !== 0
      return mayBeId ? 1 : replaced
    }
    const replaceIn = (inner: unknown, name: string) => this.templateOf(inner, replaceText, replaceNumber, name)
    if (Array.isArray(value)) return value.map((item) => replaceIn(item, key))
    if (!isObject(value)) return value as Template
    return Object.fromEntries(entriesWithPlainKeys(value).map(([name, inner]) => [name, replaceIn(inner, name)]))
  }

  /** The most frequent template, if it contains `{status}` or `{message}`. */
  errorTemplate(errors: readonly { readonly status: number; readonly body: unknown }[]): Template | undefined {
    const keys = new Set(errors.flatMap(({ body }) => keysOfTexts(body)))
    const messageKey = MESSAGE_KEYS.find((key) => keys.has(key))
    const replaceText = (text: string, key: string) =>
      key.toLowerCase() === messageKey ? '{message}' : this.maskText(text)
    const templates = errors.map(({ status, body }) =>
      this.templateOf(body, replaceText, (value) => (value === status ? '{status}' : value)),
    )
    const groups = [...groupBy(templates, (one) => JSON.stringify(one)).values()]
    const [[template] = []] = groups.sort((one, other) => other.length - one.length)
    return /\{(?:message|status)\}/.test(JSON.stringify(template) ?? '') ? template : undefined
  }
}

function entriesWithPlainKeys(value: object): [string, unknown][] {
  return Object.entries(value).filter(([key]) => /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(key))
}

const MESSAGE_KEYS = 'message detail error_description description msg reason title error errors'.split(' ')

function keysOfTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOfTexts)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    [inner].flat().some((one) => typeof one === 'string') ? [key.toLowerCase()] : keysOfTexts(inner),
  )
}
