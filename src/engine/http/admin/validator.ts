import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { FastifySchemaCompiler } from 'fastify'
import { explainMismatches } from '../../files/validate-source.js'
import { Problem } from '../problems.js'
import { YamlText } from './body.js'

/** Decodes numbers and flags in the query; a problem quotes what is invalid. */
const adminValidator: FastifySchemaCompiler<unknown> = ({ schema: given, httpPart }) => {
  const schema = given as TSchema
  return (input: unknown) => {
    if (input instanceof YamlText) return { error: new Problem('invalid-input', 'This takes JSON, not YAML.') }
    const value = httpPart === 'querystring' ? decodeQuery(schema as TObject, input as object) : (input ?? {})
    const problem = problemWith(schema, value)
    return problem === undefined ? { value } : { error: problem }
  }
}

export const compilersFactory = {
  buildValidator: () => adminValidator,
  // Fastify's serializer would drop undeclared fields.
  buildSerializer: () => () => JSON.stringify,
}

export function requireInput<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const problem = problemWith(schema, value)
  if (problem !== undefined) throw problem
  return value as Static<S>
}

function problemWith(schema: TSchema, value: unknown): Problem | undefined {
  const mismatches = explainMismatches(schema, value)
  return mismatches.length === 0 ? undefined : new Problem('invalid-input', mismatches.join(' '))
}

function decodeQuery({ properties }: TObject, query: object): object {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, decode(properties[name], value)]))
}

const FLAGS: Readonly<Record<string, boolean>> = { '': true, true: true, 1: true, false: false, 0: false }

function decode(schema: TSchema | undefined, value: unknown): unknown {
  if (schema?.type === 'integer' && /^\d{1,12}$/.test(String(value))) return Number(value)
  if (schema?.type === 'boolean') return FLAGS[String(value)] ?? value
  return value
}
