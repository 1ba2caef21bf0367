import { type Draw, drawn, shuffled } from './draw.js'
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

/** What JSON may look like; a line feed that JSON.stringify writes is never part of a text. */
const layouts: readonly ((body: unknown) => string)[] = [
  (body) => JSON.stringify(body, null, 2),
  (body) => `${JSON.stringify(body, null, '\t')}\n`,
  (body) => JSON.stringify(body, null, 4).replaceAll('\n', '\r\n'),
  (body) => JSON.stringify(body, null, 1).replaceAll(/\n */g, ' '),
  (body) => `\n ${JSON.stringify(body)} \r\n`,
]

/** White space between what the body says, before it and after it. */
export const whiteSpace: Variation = {
  name: 'white-space',
  change: (_, draw) => ({ write: drawn(draw, layouts) }),
}
