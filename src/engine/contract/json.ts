export const JSON_MEDIA_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i
const MAX_OPEN_BRACKETS = 1_000

/** With more open brackets, `JSON.parse` takes seconds for some megabytes. */
export function isNestedDeeply(json: string): boolean {
  let open = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') at = endOfString(json, at) - 1
    else if (character === '[' || character === '{') open++
    else if ((character === ']' || character === '}') && open > 0) open--
    if (open > MAX_OPEN_BRACKETS) return true
  }
  return false
}

export const MAX_LEVELS = 100
const MAX_KEYS = 1_000

export const TOO_COMPLEX = `is nested more than ${MAX_LEVELS} levels deep, or has an object with more than ${MAX_KEYS} keys`

export function isTooComplex(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inner = Object.values(value)
  const isWide = inner.length > MAX_KEYS && !Array.isArray(value)
  return levels === 0 || isWide || inner.some((item) => isTooComplex(item, levels - 1))
}

export function jsonOr<T>(text: string, fallback: T): unknown {
  if (isNestedDeeply(text)) return fallback
  try {
    return JSON.parse(text)
  } catch {
    return fallback
  }
}

function endOfString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

const INTEGER = /^(?:[-+]?\d+|0[xo][\da-f]+)$/i
const NUMBER = /-?\d[\d.eE+-]*/y

/** The first integer that JavaScript would change, or number that is too large, and its offset. */
export function inexactNumberIn(json: string): { readonly number: string; readonly offset: number } | undefined {
  for (let at = 0; at < json.length; at++) {
    const character = json[at] as string
    if (character === '"') at = endOfString(json, at) - 1
    else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = at
      const [number = character] = NUMBER.exec(json) ?? []
      if (!isExact(number)) return { number, offset: at }
      at += number.length - 1
    }
  }
  return undefined
}

const COLON = /\s*:/y

/** The first repeated key of an object, which JSON.parse would drop, and its offset. */
export function repeatedKeyIn(json: string): { readonly key: string; readonly offset: number } | undefined {
  const open: Set<string>[] = []
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '{') open.push(new Set())
    else if (json[at] === '}') open.pop()
    else if (json[at] === '"') {
      const offset = at
      COLON.lastIndex = endOfString(json, at)
      at = COLON.lastIndex - 1
      if (!COLON.test(json)) continue
      const key: string = JSON.parse(json.slice(offset, at + 1))
      if (open.at(-1)?.has(key)) return { key, offset }
      open.at(-1)?.add(key)
    }
  }
  return undefined
}

const TOKEN = /\s+|-?\d[\d.eE+-]*|true|false|null|[[\]{}:]|,(?!\s*[\]}])/y

/** The offset of the first token that JSON does not allow, such as a comment or a trailing comma; else the length. */
export function findInvalidToken(text: string): number {
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    if (text[at] === '"') at = endOfString(text, at)
    else if (TOKEN.test(text)) at = TOKEN.lastIndex
    else return at
  }
  return text.length
}

/** False for an integer that would change, and for a number that is too large. Other numbers may lose digits. */
export function isExact(number: string): boolean {
  const value = Number(number)
  if (String(value) === number) return true
  return Math.abs(value) !== Infinity && (!INTEGER.test(number) || BigInt(number) === BigInt(value))
}

const DEEPEST = 4
const MAX_TEXTS = 1_000

/** Flattens the beginning of an object or a list to fields of a form, such as `items[0][name]`. */
export function flattenFields(value: object, prefix = '', depth = 0, found: [name: string, text: string][] = []) {
  for (const key in value) {
    if (found.length >= MAX_TEXTS) break
    const name = prefix === '' ? key : `${prefix}[${key}]`
    const inner: unknown = value[key as never]
    if (inner === null || inner === undefined) continue
    if (typeof inner !== 'object') found.push([name, String(inner)])
    else if (depth < DEEPEST) flattenFields(inner, name, depth + 1, found)
  }
  return found
}

const MAX_VALUES = 10_000

/** True for JSON that would take seconds and gigabytes to parse. */
export function hasManyValues(text: string): boolean {
  return text.split(/[,[{]/, MAX_VALUES + 1).length > MAX_VALUES
}

export function objectIn(text: string): object | undefined {
  const value = /^\s*[[{]/.test(text) ? jsonOr(text, undefined) : undefined
  return typeof value === 'object' && value !== null ? value : undefined
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>> | null)?.[key], value)
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = valueAt(value, ...path)
  return Array.isArray(list) ? list : []
}
