import { isDeepStrictEqual as isSame } from 'node:util'
import type { Template } from '../../../schemas/template.js'
import { groupBy } from '../../text/group-by.js'
import { isObject } from '../../text/json.js'
import { isApiWord, isName } from './words.js'

/** What stands for a text whose content is not kept. */
const TEXT = 'text'
const MOST_ITEMS = 10
/** Seconds of an hour, a day, a week and the like. */
const DURATIONS = [1_800, 3_600, 7_200, 86_400, 172_800, 259_200, 604_800, 2_592_000]

/** The template of a value: its keys, and no data of anybody. `text` and `number` give what stands for a value. */
function templateOf(
  value: unknown,
  text: (text: string, key: string) => string,
  number: (value: number) => Template = (value) => value,
  key = '',
): Template {
  if (typeof value === 'string') return text(value, key)
  if (typeof value === 'number') {
    const own = number(value)
    // A large number may be an identifier.
    return typeof own === 'number' && Math.abs(own) >= 1_000 && !DURATIONS.includes(own) ? 1 : own
  }
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((one) => templateOf(one, text, number, key))
  if (!isObject(value)) return value as Template
  const entries = Object.entries(value).filter(([name]) => isName(name))
  return Object.fromEntries(entries.map(([name, inner]) => [name, templateOf(inner, text, number, name)]))
}

type Known = Readonly<Record<'link' | 'project_uuid' | 'email', string>>

/** The template of a signing link's body, in which the known values are placeholders. */
export function linkTemplate(body: unknown, known: Known): Template {
  const places = Object.entries(known).filter(([, value]) => value !== '')
  return templateOf(body, (text) => {
    const [name, value] = places.find(([, value]) => text.includes(value)) ?? []
    if (name !== undefined && value !== undefined) {
      const around = text.split(value)
      return around.every((part) => /^[\sa-z:,.]*$/.test(part)) ? around.join(`{${name}}`) : `{${name}}`
    }
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return '{created_at}'
    return isApiWord(text) ? text : TEXT
  })
}

/** Keys under which errors tell people what is wrong, the best first. */
const MESSAGE_KEYS = [
  'message',
  'detail',
  'error_description',
  'description',
  'msg',
  'reason',
  'title',
  'error',
  'errors',
]

interface ErrorAnswer {
  readonly status: number
  readonly body: unknown
}

/** The value of `errorBody` that fits some errors; undefined where there is none. */
export function errorShape(errors: readonly ErrorAnswer[]): unknown {
  const keys = new Set(errors.flatMap(({ body }) => keysOfTexts(body)))
  const messageKey = MESSAGE_KEYS.find((key) => keys.has(key))
  const templates = errors.map(({ status, body }) =>
    templateOf(
      body,
      (text, key) => {
        if (key.toLowerCase() === messageKey) return '{message}'
        if (isApiWord(text)) return text
        // Such as E404; a placeholder alone would become a number.
        const isPrefixed = new RegExp(`^[A-Z_-]{1,8}${status}$`).test(text)
        return isPrefixed ? text.replace(String(status), '{status}') : TEXT
      },
      (value) => (value === status ? '{status}' : value),
    ),
  )
  // The shape that most of them have.
  const [[template] = []] = [...groupBy(templates, (one) => JSON.stringify(one)).values()].sort(
    (one, other) => other.length - one.length,
  )
  if (!/\{(?:message|status)\}/.test(JSON.stringify(template) ?? '')) return undefined
  if (isSame(template, { error: { code: '{status}', message: '{message}' } })) return 'nested'
  return isSame(template, { status: 'error', message: '{message}' }) ? 'flat' : template
}

/** The keys of texts at any depth, in lower case; lists of texts count as texts. */
function keysOfTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOfTexts)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    [inner].flat().some((one) => typeof one === 'string') ? [key.toLowerCase()] : keysOfTexts(inner),
  )
}
