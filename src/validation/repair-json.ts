import type { TSchema } from '@sinclair/typebox'
import { jsonExample } from '../../schemas/json-body.js'
import { isObject } from '../text/json.js'
import { checkOf } from './check.js'
import { repaired } from './repair.js'
import { isPlaceholder } from './suspicious.js'

/** A value of a JSON body as it was surely meant, so that it fits its schema; undefined where that cannot be known. */
export function repairedJson(value: unknown, schema: TSchema): unknown {
  const made =
    schema.type === 'object' ? asObject(value, schema) : schema.type === 'array' ? asList(value, schema) : value
  return [made, ...(typeof made === 'object' ? [] : rewritten(made, schema))].find((one) => fits(one, schema))
}

function fits(value: unknown, schema: TSchema): boolean {
  if (value === undefined || value === '' || (typeof value === 'string' && isPlaceholder(value))) return false
  return checkOf(schema)(value).length === 0
}

/** Its documented properties; a required one that cannot be known is a sample. */
function asObject(value: unknown, { properties, required = [] }: TSchema): unknown {
  if (!isObject(value)) return undefined
  if (properties === undefined) return value
  const known = Object.entries<TSchema>(properties).map(([name, schema]) => {
    const own = Object.hasOwn(value, name) ? repairedJson(value[name], schema) : undefined
    return [name, own ?? (required.includes(name) ? jsonExample(schema) : undefined)] as const
  })
  return Object.fromEntries(known.filter(([, one]) => one !== undefined))
}

/** One value is a list of one; what cannot be known of it is left out. */
function asList(value: unknown, { items = {} }: TSchema): unknown {
  if (value === undefined || value === null) return undefined
  const sent: readonly unknown[] = [value].flat()
  const kept = sent.map((one) => repairedJson(one, items)).filter((one) => one !== undefined)
  return kept.length === 0 && sent.length > 0 ? undefined : kept
}

/** A plain value as values of other types. */
function rewritten(value: unknown, schema: TSchema): readonly unknown[] {
  const text = String(repaired(value, schema) ?? value).trim()
  return [
    text,
    ...(text === '' ? [] : [Number(text)]),
    ...(/^(?:true|false)$/i.test(text) ? [/^true$/i.test(text)] : []),
  ]
}
