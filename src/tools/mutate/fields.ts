import type { TSchema } from '@sinclair/typebox'
import { isObject, valueAt } from '../../engine/contract/json.js'

/** `each` in the path stands for all items of a list. */
export interface BodyField {
  readonly path: readonly string[]
  readonly schema: TSchema
  readonly required: boolean
}

export const REMOVED = Symbol('removed')
const EACH = 'each'

export function fieldsOf(schema: TSchema, path: readonly string[] = []): readonly BodyField[] {
  if (schema.type === 'array') return fieldsOf(schema.items, [...path, EACH])
  const { properties = {}, required = [] } = schema
  return Object.entries<TSchema>(properties).flatMap(([name, property]) => {
    const fieldPath = [...path, name]
    return [{ path: fieldPath, schema: property, required: required.includes(name) }, ...fieldsOf(property, fieldPath)]
  })
}

/** Returns the body unchanged if the path does not exist. */
export function changeAt(
  body: unknown,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return change(body)
  if (name === EACH && Array.isArray(body)) return body.map((item) => changeAt(item, rest, change))
  if (!isObject(body) || !Object.hasOwn(body, name)) return body
  const { [name]: value, ...others } = body
  const changed = changeAt(value, rest, change)
  return changed === REMOVED ? others : { ...body, [name]: changed }
}

/** For `each`, returns the field of the first item. */
export function fieldAt(body: unknown, path: readonly string[]): unknown {
  return valueAt(body, ...path.map((name) => (name === EACH ? '0' : name)))
}
