import type { ShownField } from './knowledge.js'

interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
}

/** Every key in a schema, with the values that it may have. */
export function keysIn(schema: object): Record<string, string[]> {
  const keys = new Map<string, Set<string>>()
  collectKeys(schema, keys)
  return Object.fromEntries(Array.from(keys, ([key, values]) => [key, [...values]]))
}

function collectKeys(schema: unknown, keys: Map<string, Set<string>>): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, property] of Object.entries((schema as JsonSchema).properties ?? {})) {
    const values = keys.get(key) ?? new Set()
    for (const value of valuesIn(property)) values.add(value)
    keys.set(key, values)
  }
  for (const part of Object.values(schema)) collectKeys(part, keys)
}

function valuesIn({ enum: values = [], const: value, anyOf = [], items }: JsonSchema): string[] {
  const own = [...values, ...(value === undefined ? [] : [value])].map(String)
  const inner = items === undefined ? anyOf : [...anyOf, items]
  return [...own, ...inner.flatMap(valuesIn)]
}

/** The values of an object, nested ones too. */
export function fieldsIn(schema: object, name = ''): readonly ShownField[] {
  const { type, anyOf = [], properties } = schema as JsonSchema
  const parts = [{ properties }, ...anyOf].flatMap((one) => Object.entries(one.properties ?? {}))
  if (parts.length === 0) return [{ name, type, values: valuesIn(schema) }]
  const fields = parts.flatMap(([key, one]) => fieldsIn(one, name === '' ? key : `${name}.${key}`))
  return [...new Map(fields.map((field) => [field.name, field])).values()]
}
