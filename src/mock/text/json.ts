/** The value of a JSON text; `otherwise` for a text that is not JSON. */
export function jsonOr<T>(text: string, otherwise: T): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
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
