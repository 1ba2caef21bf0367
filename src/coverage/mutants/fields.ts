import type { TSchema } from '@sinclair/typebox'

/** A field in a body; `each` in its path stands for all items of a list. */
export interface BodyField {
  readonly path: readonly string[]
  readonly schema: TSchema
  readonly required: boolean
}

/** The value of a field that is left out. */
export const LEFT_OUT = Symbol('left out')
const EACH = 'each'

export function fieldsOf(schema: TSchema, path: readonly string[] = []): readonly BodyField[] {
  if (schema.type === 'array') return fieldsOf(schema.items, [...path, EACH])
  const { properties = {}, required = [] } = schema
  return Object.entries<TSchema>(properties).flatMap(([name, property]) => {
    const own = [...path, name]
    return [{ path: own, schema: property, required: required.includes(name) }, ...fieldsOf(property, own)]
  })
}

/** A body in which every value at a path was changed; the body itself where nothing is there, or all stays the same. */
export function changeAt(
  body: unknown,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return change(body)
  if (typeof body !== 'object' || body === null) return body
  if (name === EACH && Array.isArray(body)) {
    const items = body.map((item) => changeAt(item, rest, change))
    return items.some((item, at) => item !== body[at]) ? items : body
  }
  const owner = body as Readonly<Record<string, unknown>>
  if (!Object.hasOwn(owner, name)) return body
  const changed = changeAt(owner[name], rest, change)
  if (changed === owner[name]) return body
  const { [name]: _, ...others } = owner
  if (changed === LEFT_OUT) return others
  return Object.fromEntries(Object.entries(owner).map(([key, value]) => [key, key === name ? changed : value]))
}

export function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name === EACH && Array.isArray(value) ? '0' : name]
  }
  return value
}
