import type { TSchema } from '@sinclair/typebox'
import { bodySchema } from '../../../../schemas/bodies.js'
import { changeBySchema } from './by-schema.js'
import { type Draw, shuffled } from './draw.js'
import type { Variation } from './variation.js'

/** Fields of every type that services add to their answers, under names that are not like any documented one. */
const EXTRAS: Readonly<Record<string, unknown>> = {
  request_id: 'req_8f14e45f',
  api_version: '2.31.0',
  processing_ms: 12.5,
  revision: 7,
  deprecated: false,
  next_cursor: null,
  tags: ['a', 'b'],
  _links: { self: { href: '/self', methods: ['GET'] } },
}
const MOST = 2

/** Fields that the document does not name, anywhere in objects at every depth, not in all of them alike. */
export const extraFields: Variation = {
  name: 'extra-fields',
  change: ({ contract, status, body: before }, draw) => {
    let added = false
    const body = changeBySchema(bodySchema(contract, status), before, (schema, value) => {
      if (!isOpenObject(schema)) return value
      const extras = extrasFor(schema, value as object, draw)
      added ||= extras.length > 0
      return Object.fromEntries(mixed(Object.entries(value as object), extras, draw))
    })
    return added ? { body } : undefined
  },
}

function isOpenObject({ type, additionalProperties }: TSchema): boolean {
  return type === 'object' && additionalProperties !== false
}

type Entry = readonly [name: string, value: unknown]

/** None of which the schema or the object knows, in any letter case: some readers take no notice of it. */
function extrasFor({ properties = {} }: TSchema, value: object, draw: Draw): Entry[] {
  const taken = new Set([...Object.keys(properties), ...Object.keys(value)].map((name) => name.toLowerCase()))
  const free = Object.entries(EXTRAS).filter(([name]) => !taken.has(name))
  return shuffled(draw, free).slice(0, Math.floor(draw() * (MOST + 1)))
}

/** Entries with others somewhere among them. */
function mixed(entries: readonly Entry[], others: readonly Entry[], draw: Draw): Entry[] {
  const all = [...entries]
  for (const other of others) all.splice(Math.floor(draw() * (all.length + 1)), 0, other)
  return all
}
