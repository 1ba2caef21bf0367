/** Brackets that may be open at once in a text of JSON or YAML. */
export const MOST_OPEN = 1_000

/**
 * True for a text with more open brackets: `JSON.parse` takes seconds for such a text of some megabytes, and the reader
 * of YAML runs out of stack.
 */
export function isNestedDeeply(text: string): boolean {
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5b || code === 0x7b) open++
    else if ((code === 0x5d || code === 0x7d) && open > 0) open--
    if (open > MOST_OPEN) return true
  }
  return false
}

/** The value of a JSON text; `otherwise` for a text that is not JSON, or nested too deeply for anybody to mean it. */
export function jsonOr<T>(text: string, otherwise: T): unknown {
  if (isNestedDeeply(text)) return otherwise
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

const NUMBER = /-?\d[\d.eE+-]*/y

/** The numbers of a JSON text as they are written. */
export function* numbersIn(json: string): Generator<string> {
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at] as string
    if (isText && character === '\\') at++
    else if (character === '"') isText = !isText
    else if (!isText && (character === '-' || (character >= '0' && character <= '9'))) {
      NUMBER.lastIndex = at
      const [number = character] = NUMBER.exec(json) ?? []
      yield number
      at += number.length - 1
    }
  }
}

/** False for a decimal number of which JavaScript makes another. */
export function isExact(written: string): boolean {
  if (!/^[-+]?\.?\d/.test(written) || /^0[xo]/.test(written)) return true
  return decimalOf(written) === decimalOf(String(Number(written)))
}

/** Characters of the longest number that any of our formats can mean. */
const LONGEST_NUMBER = 400

/** The digits of a number and its exponent, the same for 1.10, 1.1 and 11e-1. */
function decimalOf(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = 0] =
    /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text.slice(0, LONGEST_NUMBER)) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  if (end === 0) return '0'
  return `${sign === '-' ? '-' : ''}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/** The deepest nesting of an object that can be meant as a form. */
const DEEPEST = 4

/** The texts of an object or a list, named as forms name them: `data[0][email]`. */
export function flatTexts(value: object, prefix = '', depth = 0): [name: string, text: string][] {
  if (depth > DEEPEST) return []
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    const name = prefix === '' ? key : `${prefix}[${key}]`
    if (inner === null || inner === undefined) return []
    return typeof inner === 'object' ? flatTexts(inner, name, depth + 1) : [[name, String(inner)]]
  })
}

/** The object or list that a text is as JSON; undefined for any other text. */
export function objectIn(text: string): object | undefined {
  const value = /^\s*[[{]/.test(text) ? jsonOr(text, undefined) : undefined
  return typeof value === 'object' && value !== null ? value : undefined
}

/** True for an object, but not for null or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
