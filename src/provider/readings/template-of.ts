import type { Template } from '../../../schemas/template.js'
import { isObject } from '../../text/json.js'
import { isName, plainNumber } from './labels.js'

/** What stands for the texts and numbers of a value; `key` is that of the object they stand in, lists in between or not. */
export interface Places {
  readonly text: (text: string, key: string) => string
  readonly number?: (value: number) => Template
}

/** Items of a list that are kept. */
const MOST_ITEMS = 10

/** The template that a value is made of: its keys, with something in the place of all that it says. */
export function templateOf(value: unknown, places: Places, key = ''): Template {
  const { text, number = plainNumber } = places
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') return text(value, key)
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((one) => templateOf(one, places, key))
  if (!isObject(value)) return value as Template
  const entries = Object.entries(value).filter(([name]) => isName(name))
  return Object.fromEntries(entries.map(([name, inner]) => [name, templateOf(inner, places, name)]))
}
