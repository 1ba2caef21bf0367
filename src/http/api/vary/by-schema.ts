import type { TSchema } from '@sinclair/typebox'

type Change = (schema: TSchema, value: unknown) => unknown

/** A value in which everything that a schema knows was changed, what is inside first; it stays as it was itself. */
export function changeBySchema(schema: TSchema | undefined, value: unknown, change: Change): unknown {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    return change(
      schema,
      value.map((one) => changeBySchema(schema.items, one, change)),
    )
  }
  if (typeof value !== 'object' || value === null) return change(schema, value)
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    changeBySchema(propertyOf(schema, name), one, change),
  ])
  return change(schema, Object.fromEntries(entries))
}

function propertyOf({ properties }: TSchema, name: string): TSchema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}
