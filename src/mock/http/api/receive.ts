import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type Form, WHOLE_NUMBER } from '../../../../schemas/common.js'
import { type Contract, filesOf } from '../../../../schemas/contract.js'
import { isAbsentWhenEmpty } from '../../../../schemas/emptiness.js'
import type { Violation } from '../../validation/violation.js'
import { readRawBody } from '../raw-body.js'
import { type Preferences, readPreferences } from './preferences.js'
import { readForm } from './read-form.js'
import { notMultipart } from './unreadable-body.js'

export interface ParsedRequest {
  readonly preferences: Preferences | null
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** Null if the operation takes no form, or the body cannot be read as one. */
  readonly form: Form | null
  /** A body that is not a form; null without one. */
  readonly text: string | null
  readonly unreadable: Violation | null
  /** The body as received, with `--provider` or if it is no form. */
  readonly bytes: Buffer | null
}

/**
 * Reads preferences, query and form as Fastify then validates them. A body that cannot be read is a violation like any
 * other.
 */
export function readRequest(contract: Contract) {
  const integers = namesIn(contract.query, ({ type }) => type === 'integer')
  const optional = {
    query: namesIn(contract.query, isAbsentWhenEmpty),
    form: namesIn(contract.form, isAbsentWhenEmpty),
  }
  const files = filesOf(contract)
  return async (request: FastifyRequest): Promise<void> => {
    const query = request.query as Record<string, unknown>
    const preferences = readPreferences(request.headers.prefer, query)
    for (const name of integers) if (name in query) query[name] = decodeInteger(query[name])
    dropEmpty(query, optional.query)
    const body = await readBody(request, contract, files)
    if (body.form !== null) dropEmpty(body.form as Record<string, unknown>, optional.form)
    request.body = body.form ?? undefined
    request.received = { preferences, params: request.params as Record<string, string>, query, ...body }
  }
}

type Body = Pick<ParsedRequest, 'form' | 'text' | 'unreadable' | 'bytes'>

async function readBody(request: FastifyRequest, contract: Contract, files: ReadonlySet<string>): Promise<Body> {
  if (contract.form === undefined) return readText(request)
  if (request.isMultipart()) {
    const isForwarded = request.arrival.sandbox.settings.provider !== undefined
    return { text: null, ...(await readForm(request, files, isForwarded)) }
  }
  const body = await readText(request)
  const type = request.headers['content-type']
  if (type === undefined && body.text === null) return { ...body, form: {} }
  return { ...body, unreadable: notMultipart(type, contract) }
}

/** A body that is no form. Fastify has read it already, unless it is multipart. */
export async function readText(request: FastifyRequest): Promise<Body> {
  const bytes = request.isMultipart() ? await readRawBody(request) : ((request.body as Buffer | undefined) ?? null)
  return { form: null, text: String(bytes ?? '') || null, unreadable: null, bytes }
}

function namesIn(schema: TObject | undefined, fits: (property: TSchema) => boolean): readonly string[] {
  const properties: Readonly<Record<string, TSchema>> = schema?.properties ?? {}
  return Object.keys(properties).filter((name) => fits(properties[name] as TSchema))
}

/** Unsafe integers stay text. */
function decodeInteger(value: unknown): unknown {
  if (typeof value !== 'string' || !WHOLE_NUMBER.test(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Empty optional texts count as absent (I-20). */
function dropEmpty(values: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) if (values[name] === '') delete values[name]
}
