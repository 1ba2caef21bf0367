import { isUtf8 } from 'node:buffer'
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { inexactNumberIn, isNestedDeeply, isTooComplex, repeatedKeyIn, TOO_COMPLEX } from '../../contract/json.js'
import { describeInexact, quote } from '../../contract/wording.js'
import { explainMismatches } from '../../files/validate-source.js'
import { Problem } from '../problems.js'
import { readRawBody } from '../raw-body.js'

export class YamlText {
  constructor(readonly text: string) {}
}

const YAML = /^(?:application|text)\/(?:x-)?yaml\b/i

/** Accepts JSON with any Content-Type, since `curl -d` declares a form; YAML must be declared. */
export async function readAdminBody(request: FastifyRequest): Promise<unknown> {
  const bytes = await readRawBody(request)
  if (!isUtf8(bytes)) throw new Problem('invalid-input', 'The body is not in UTF-8: send it in UTF-8.')
  const text = String(bytes).replace(/^\ufeff/, '')
  if (YAML.test(request.headers['content-type'] ?? '')) return new YamlText(text)
  if (isNestedDeeply(text)) throw new Problem('invalid-input', 'The body is nested too deeply.')
  try {
    if (text === '') return undefined
    const body = JSON.parse(text)
    const inexact = inexactNumberIn(text)
    if (inexact !== undefined) throw new Problem('invalid-input', describeInexact(inexact.number))
    if (isTooComplex(body)) throw new Problem('invalid-input', `The body ${TOO_COMPLEX}.`)
    const repeated = repeatedKeyIn(text)
    if (repeated !== undefined) throw new Problem('invalid-input', `Duplicate key ${quote(repeated.key)}; remove one.`)
    return body
  } catch (error) {
    if (error instanceof Problem) throw error
    // The login page sends a form.
    if (request.routeOptions.config.access === 'login') return Object.fromEntries(new URLSearchParams(text))
    const hint = request.routeOptions.schema?.body || /^\s*[[{"]/.test(text) ? '' : ' Send YAML as application/yaml.'
    throw new Problem('invalid-input', `The body is not JSON: ${(error as Error).message}.${hint}`)
  }
}

const compileAdminValidator: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  return (input: unknown) => {
    if (input instanceof YamlText)
      return { error: new Problem('invalid-input', 'This route takes JSON, not YAML: send JSON.') }
    const value = httpPart === 'querystring' ? decodeQuery(schema as TObject, input as object) : (input ?? {})
    const problem = findProblem(schema as TSchema, value)
    return problem === undefined ? { value } : { error: problem }
  }
}

export const compilersFactory = {
  buildValidator: () => compileAdminValidator,
  // Fastify's serializer would drop undeclared fields.
  buildSerializer: () => () => JSON.stringify,
}

export function requireInput<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const problem = findProblem(schema, value)
  if (problem !== undefined) throw problem
  return value as Static<S>
}

function findProblem(schema: TSchema, value: unknown): Problem | undefined {
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
