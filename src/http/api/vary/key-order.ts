import { type Draw, shuffled } from './draw.js'
import type { Variation } from './variation.js'

/** The keys of all objects in another order; lists keep theirs. */
export const keyOrder: Variation = {
  name: 'key-order',
  change: ({ body: before }, draw) => {
    const body = reordered(draw, before)
    return JSON.stringify(body) === JSON.stringify(before) ? undefined : { body }
  },
}

function reordered(draw: Draw, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => reordered(draw, one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(shuffled(draw, Object.entries(value)).map(([key, one]) => [key, reordered(draw, one)]))
}
