import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { explainDepartures } from '../validation/require-schema.js'
import { Problem } from './problems.js'

/**
 * Checks what a route of ours takes, where nothing else says how: a query's numbers and flags are decoded as its schema
 * says, and what does not fit is a problem that quotes it.
 */
const inputValidator: FastifySchemaCompiler<unknown> = ({ schema: given, httpPart }) => {
  const schema = given as TSchema
  return (input: unknown) => {
    const value = httpPart === 'querystring' ? decodeQuery(schema as TObject, input as object) : (input ?? undefined)
    const refusal = refusalOf(schema, value)
    return refusal === undefined ? { value } : { error: refusal }
  }
}

/** Answers are sent as they are: what departs from a schema is noted, and never repaired or left out. */
export const asJson: FastifySerializerCompiler<unknown> = () => JSON.stringify

/** What Fastify checks and writes with: one library for all that is checked, in validation/, and JSON.stringify. */
export const compilersFactory = {
  buildValidator: () => inputValidator,
  buildSerializer: () => asJson,
}

/**
 * An input that fits one of several schemas, by what it says.
 * @throws {Problem} that quotes what does not fit
 */
export function requireInput<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const refusal = refusalOf(schema, value)
  if (refusal !== undefined) throw refusal
  return value as Static<S>
}

function refusalOf(schema: TSchema, value: unknown): Problem | undefined {
  const departures = explainDepartures(schema, value)
  return departures.length === 0 ? undefined : new Problem('invalid-input', departures.join(' '))
}

function decodeQuery({ properties }: TObject, query: object): object {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, decode(properties[name], value)]))
}

const FLAGS: Readonly<Record<string, boolean>> = { '': true, true: true, 1: true, false: false, 0: false }

function decode(schema: TSchema | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (schema?.type === 'integer' && /^\d{1,12}$/.test(value)) return Number(value)
  if (schema?.type === 'boolean') return FLAGS[value] ?? value
  return value
}
