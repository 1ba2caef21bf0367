import type { TObject } from '@sinclair/typebox'
import { isAbsentWhenEmpty } from '../../../schemas/emptiness.js'
import { perObject } from '../../../schemas/per-object.js'

/** Takes the texts out that are as if they were not sent where they are empty (I-20); `dropped` takes their names. */
export function dropEmpty<V extends Readonly<Record<string, unknown>>>(
  schema: TObject,
  values: V,
  dropped?: Set<string>,
): V {
  for (const name of droppable(schema)) {
    if (values[name] !== '') continue
    delete (values as Record<string, unknown>)[name]
    dropped?.add(name)
  }
  return values
}

const droppable = perObject(({ properties }: TObject): readonly string[] =>
  Object.entries(properties).flatMap(([name, one]) => (isAbsentWhenEmpty(one) ? [name] : [])),
)
