import { type TSchema, Type } from '@sinclair/typebox'
import { type Cites, cited } from './cites.js'
import type { DataComplaint } from './complaint.js'
import { didYouMean } from './wording.js'

export type Template =
  | string
  | number
  | boolean
  | null
  | readonly Template[]
  | { readonly [key: string]: Template | undefined }

const ALONE = /^\{(\w+)\}$/
const PLACEHOLDER = /\{(\w+)\}/g

/** A text that is only a placeholder becomes the value itself, for example a number. */
export function fillTemplate(template: Template, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string') {
    const alone = ALONE.exec(template)?.[1]
    return alone === undefined ? template.replace(PLACEHOLDER, (_, name) => String(values[name])) : values[alone]
  }
  if (typeof template !== 'object' || template === null) return template
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, values))
  return Object.fromEntries(Object.entries(template).map(([key, one]) => [key, fillTemplate(one as Template, values)]))
}

export function templateSchema(
  template: Template,
  places: Readonly<Record<string, TSchema | undefined>>,
  cites: Cites,
): TSchema {
  const inner = (one: unknown) => templateSchema(one as Template, places, cites)
  if (typeof template === 'string') {
    const [, alone = ''] = ALONE.exec(template) ?? []
    const isConstant = template.search(PLACEHOLDER) < 0
    return places[alone] ?? cited(cites, Type.String(isConstant ? { examples: [template] } : {}))
  }
  if (typeof template === 'number') return cited(cites, Number.isInteger(template) ? Type.Integer() : Type.Number())
  if (typeof template === 'boolean') return cited(cites, Type.Boolean())
  if (template === null) return cited(cites, Type.Unsafe<null>({ enum: [null] }), { enum: cites })
  if (Array.isArray(template)) return cited(cites, Type.Array(anyOf(template.map(inner))))
  const properties = Object.entries(template).map(([key, value]) => [key, inner(value)])
  return cited(cites, Type.Object(Object.fromEntries(properties)))
}

function anyOf(schemas: readonly TSchema[]): TSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return different.length === 0 ? Type.Unknown() : Type.Union(different)
}

export function checkTemplate(template: object, path: readonly string[], allowed: readonly string[], oneOf = allowed) {
  const list = (names: readonly string[], separator: string) => names.map((name) => `'{${name}}'`).join(separator)
  const placeholders = placeholdersIn(template, path)
  const unknown = placeholders.filter(({ name }) => !allowed.includes(name))
  const complaints = unknown.map(({ path, name }): DataComplaint => {
    const message = `'${path.join('.')}' has the unknown placeholder {${name}}.${didYouMean(name, allowed)} Allowed: ${list(allowed, ', ')}.`
    return { path, message }
  })
  if (complaints.length > 0 || placeholders.some(({ name }) => oneOf.includes(name))) return complaints
  return [{ path, message: `'${path.join('.')}' must contain the text ${list(oneOf, ' or ')}, to be replaced.` }]
}

function placeholdersIn(template: unknown, path: readonly string[]): { path: readonly string[]; name: string }[] {
  if (typeof template === 'string')
    return Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => ({ path, name }))
  if (typeof template !== 'object' || template === null) return []
  return Object.entries(template).flatMap(([key, one]) => placeholdersIn(one, [...path, key]))
}
