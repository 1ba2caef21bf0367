import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { explainDepartures } from '../../validation/explain.js'
import { Problem } from '../problems.js'

/**
 * A query of the admin API: numbers and booleans decoded as the schema says.
 * @throws {Problem} that quotes what does not fit
 */
export function readQuery<S extends TObject>(schema: S, query: unknown): Static<S> {
  const given = Object.fromEntries(
    Object.entries(query as Record<string, unknown>).map(([name, value]) => [
      name,
      decode(schema.properties[name], value),
    ]),
  )
  return readBody(schema, given)
}

/**
 * A JSON body of the admin API.
 * @throws {Problem} that quotes what does not fit
 */
export function readBody<S extends TSchema>(schema: S, body: unknown): Static<S> {
  const departures = explainDepartures(schema, body)
  if (departures.length === 0) return body as Static<S>
  throw new Problem('invalid-input', departures.join(' '))
}

const FLAGS: Readonly<Record<string, boolean>> = { '': true, true: true, 1: true, false: false, 0: false }

function decode(schema: TSchema | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (schema?.type === 'integer' && /^\d{1,12}$/.test(value)) return Number(value)
  if (schema?.type === 'boolean') return FLAGS[value] ?? value
  return value
}
