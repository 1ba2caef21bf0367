import type { TObject } from '@sinclair/typebox'
import { isAbsentWhenEmpty } from '../../../schemas/emptiness.js'

const names = new WeakMap<TObject, readonly string[]>()

/** Takes the texts out that are as if they were not sent where they are empty (I-20). */
export function dropEmpty<V extends Readonly<Record<string, unknown>>>(schema: TObject, values: V): V {
  for (const name of droppable(schema)) {
    if (values[name] === '') delete (values as Record<string, unknown>)[name]
  }
  return values
}

/** Looked up once for each part of a contract. */
function droppable(schema: TObject): readonly string[] {
  let known = names.get(schema)
  if (known === undefined) {
    known = Object.entries(schema.properties).flatMap(([name, one]) => (isAbsentWhenEmpty(one) ? [name] : []))
    names.set(schema, known)
  }
  return known
}
