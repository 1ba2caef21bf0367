import { quote } from '../../text/wording.js'
import { isLabel, isName } from '../readings/labels.js'

/** What is kept of a value: its type and its form, and never what it says. */
export interface Shape {
  /** As in JSON Schema; several where values differ. */
  readonly type: string | readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  /** The properties that were there each time. */
  readonly required?: readonly string[]
  readonly items?: Shape
  /** What each text was; of a whole number, that it was the status. */
  readonly format?: Format | readonly Format[]
  /** Words of an API that occurred, such as `protected`; names, addresses and tokens never. */
  readonly values?: readonly string[]
}

export type Format = keyof typeof FORMATS | typeof STATUS

/** The form of a whole number that is the answer's status. */
export const STATUS = 'status'

/** Forms that texts have, the first that fits counting, each with a sample. */
export const FORMATS = {
  'date-time in UTC, with milliseconds': {
    is: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    sample: '2026-01-15T09:30:00.000Z',
  },
  'date-time in UTC': { is: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, sample: '2026-01-15T09:30:00Z' },
  'date-time in UTC, with other fractions': {
    is: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/,
    sample: '2026-01-15T09:30:00.000000Z',
  },
  'date-time with an offset': {
    is: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d$/,
    sample: '2026-01-15T09:30:00.000+02:00',
  },
  uuid: { is: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, sample: '00000000-0000-4000-8000-000000000000' },
  uri: { is: /^https?:\/\/\S+$/, sample: 'https://example.test/sample' },
  email: { is: /^[^\s@]+@[^\s@]+$/, sample: 'someone@example.test' },
  currency: { is: /^[A-Z]{3}$/, sample: 'EUR' },
  json: { is: /^\s*(?:\{|\[\s*[[{"\d\]])/, sample: '{}' },
  number: { is: /^-?\d+(?:\.\d+)?$/, sample: '1' },
  empty: { is: /^$/, sample: '' },
} as const satisfies Readonly<Record<string, { readonly is: RegExp; readonly sample: string }>>

/** The shape of one value, which stands in an answer of that status. */
export function shapeOf(value: unknown, status?: number): Shape {
  if (value === null) return { type: 'null' }
  if (Array.isArray(value)) {
    const [first, ...others] = value.map((one) => shapeOf(one, status))
    return { type: 'array', ...(first !== undefined && { items: others.reduce(merge, first) }) }
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([key]) => isName(key))
    const properties = Object.fromEntries(entries.sort(byKey).map(([key, inner]) => [key, shapeOf(inner, status)]))
    return { type: 'object', properties, required: Object.keys(properties) }
  }
  if (typeof value === 'number') {
    if (value === status) return { type: 'integer', format: STATUS }
    return { type: Number.isInteger(value) ? 'integer' : 'number' }
  }
  return typeof value === 'string' ? shapeOfText(value) : { type: typeof value }
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)

function shapeOfText(text: string): Shape {
  if (isLabel(text)) return { type: 'string', values: [text] }
  const [format] = Object.entries(FORMATS).find(([, { is }]) => is.test(text)) ?? []
  return { type: 'string', ...(format !== undefined && { format: format as Format }) }
}

/** The shape of two values that stand at the same place. */
export function merge(one: Shape, other: Shape): Shape {
  const types = [...new Set([one.type, other.type].flat())].sort()
  const type = types.length === 1 ? (types[0] as string) : types
  const texts = [one, other].filter((shape) => [shape.type].flat().includes('string'))
  const formats = mergedFormats(one, other)
  const values = texts.every((shape) => shape.values !== undefined)
    ? [...new Set(texts.flatMap((shape) => shape.values ?? []))].sort()
    : []
  const items =
    one.items === undefined || other.items === undefined ? (one.items ?? other.items) : merge(one.items, other.items)
  return {
    type,
    ...mergedProperties(one, other),
    ...(items !== undefined && { items }),
    ...formats,
    ...(values.length > 0 && { values }),
  }
}

/** Each form that occurred, where every text, or every number, has one. */
function mergedFormats(one: Shape, other: Shape): Pick<Shape, 'format'> {
  const formed = [one, other].filter(({ type }) =>
    [type].flat().some((name) => name === 'string' || name === 'integer'),
  )
  if (formed.some(({ format }) => format === undefined)) return {}
  const formats = [...new Set(formed.flatMap(({ format }) => format ?? []))].sort()
  const [first, ...others] = formats
  return first === undefined ? {} : { format: others.length === 0 ? first : formats }
}

function mergedProperties(one: Shape, other: Shape): Pick<Shape, 'properties' | 'required'> {
  if (one.properties === undefined || other.properties === undefined) {
    const { properties, required } = one.properties === undefined ? other : one
    return properties === undefined ? {} : { properties, ...(required !== undefined && { required }) }
  }
  const names = [...new Set([...Object.keys(one.properties), ...Object.keys(other.properties)])].sort()
  const properties = names.map((name) => {
    const [a, b] = [one.properties?.[name], other.properties?.[name]]
    return [name, a === undefined || b === undefined ? ((a ?? b) as Shape) : merge(a, b)] as const
  })
  const required = (one.required ?? []).filter((name) => other.required?.includes(name))
  return { properties: Object.fromEntries(properties), required }
}

/** A value as reports show it: text only by its form, unless it is a word of an API. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? shapeText(shapeOf(value)) : quote(value)
}

/** What a number is called that stands in a text. */
function formText(form: string): string {
  return form === 'number' ? 'a number as text' : form
}

/** A shape on one line: `{error: {code: integer, message: text}}`; what lists hold is left out. */
export function shapeText(shape: Shape | undefined): string {
  if (shape === undefined) return 'anything'
  const { type, properties = {}, items, values, format } = shape
  const words = [type].flat().map((one) => {
    if (one === 'object') {
      const inner = Object.entries(properties).map(([name, property]) => `${name}: ${shapeText(property)}`)
      return `{${inner.join(', ')}}`
    }
    if (one === 'array') return items === undefined ? '[]' : '[…]'
    if (one === 'string')
      return values?.map((value) => `'${value}'`).join(' or ') ?? [format ?? 'text'].flat().map(formText).join(' or ')
    return one
  })
  return words.join(' or ')
}
