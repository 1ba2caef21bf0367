import type { TSchema } from '@sinclair/typebox'
import { bodySchema } from '../../../../schemas/bodies.js'
import { citesOf } from '../../../../schemas/cites.js'
import { changeBySchema } from './by-schema.js'
import { drawn } from './draw.js'
import type { Variation } from './variation.js'

/** How the fraction of a second is written in each precision. */
const precisions = {
  seconds: () => '',
  microseconds: (fraction: string) => fraction.padEnd('.123456'.length, '0'),
}

/** Timestamps in another precision (I-22); all of an answer in the same one. */
export const timestamps: Variation = {
  name: 'timestamps',
  change: ({ contract, status, body: before }, draw, { known }) => {
    if (known.timestamps !== undefined) return undefined
    const [name, written] = drawn(draw, Object.entries(precisions))
    let changed = false
    const body = changeBySchema(bodySchema(contract, status), before, (schema, value) => {
      if (typeof value !== 'string' || !isOpen(schema)) return value
      const text = value.replace(/(\.\d+)Z$/, (_, fraction) => `${written(fraction)}Z`)
      changed ||= text !== value
      return text
    })
    return changed ? { body, to: name } : undefined
  },
}

function isOpen(schema: TSchema): boolean {
  return schema.format === 'date-time' && citesOf(schema)?.includes('I-22') === true
}
