import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type Contract, fileFieldsOf } from '../../contract/contract.js'
import { isAbsentWhenEmpty, WHOLE_NUMBER } from '../../contract/fields.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { readRawBody } from '../raw-body.js'
import type { Middlewares } from './answer.js'
import { parseMislabelledForm } from './mislabelled-form.js'
import { exchangeOf, NO_BODY, type ReceivedBody, toReceivedRequest } from './pending-exchange.js'
import { readPreferences } from './preferences.js'
import { readForm } from './read-form.js'
import { notMultipart } from './unreadable-body.js'

/** An unreadable body is a violation like others, not an error. */
export function createReader(contract: Contract, middlewares: Middlewares) {
  const integers = namesIn(contract.query, ({ type }) => type === 'integer')
  const optionalQuery = namesIn(contract.query, isAbsentWhenEmpty)
  const optionalForm = namesIn(contract.form, isAbsentWhenEmpty)
  const files = fileFieldsOf(contract)
  return async (request: FastifyRequest): Promise<void> => {
    const query = request.query as Record<string, unknown>
    let hasPreferences = request.headers.prefer !== undefined
    for (const name in query) hasPreferences ||= name.startsWith('__')
    const preferences = hasPreferences ? readPreferences(request, middlewares.preferences) : null
    const queryAsSent = { ...query } as ReceivedRequest['query']
    for (const name of integers) if (name in query) query[name] = decodeInteger(query[name])
    dropEmpty(query, optionalQuery)
    const body = await readBody(request, contract, files)
    const exchange = exchangeOf(request)
    if (exchange.isBeforeReset) exchange.beginAgain()
    exchange.receivedRequest = toReceivedRequest(exchange, queryAsSent, preferences, body)
    request.body = body.form === null ? undefined : dropEmpty({ ...body.form }, optionalForm)
  }
}

async function readBody(request: FastifyRequest, contract: Contract, files: ReadonlySet<string>) {
  if (contract.form === undefined) return readText(request)
  if (request.isMultipart()) return readForm(request, contract, files)
  const body = await readText(request)
  const type = request.raw.headers['content-type']
  if (type === undefined && body.text === null) return { ...body, form: {} }
  return { ...body, unreadable: notMultipart(type, body.text, contract) }
}

/** Fastify has read the body already, unless it is multipart. */
export async function readText(request: FastifyRequest): Promise<ReceivedBody> {
  const { body, headers } = request
  // Fastify reads no body of a GET.
  const isSent = 'transfer-encoding' in headers || Number(headers['content-length']) > 0
  if (body === undefined && isSent && !request.isMultipart()) return { ...NO_BODY, bytes: await readRawBody(request) }
  const bytes = request.isMultipart() ? await readRawBody(request) : ((body as Buffer | undefined) ?? null)
  if (bytes === null) return NO_BODY
  return { ...NO_BODY, text: String(bytes) || null, bytes, recoveredForm: await parseMislabelledForm(bytes) }
}

function namesIn(schema: TObject | undefined, fits: (property: TSchema) => boolean): readonly string[] {
  const properties: Readonly<Record<string, TSchema>> = schema?.properties ?? {}
  return Object.keys(properties).filter((name) => fits(properties[name] as TSchema))
}

function decodeInteger(value: unknown): unknown {
  if (typeof value !== 'string' || !WHOLE_NUMBER.test(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function dropEmpty(values: Record<string, unknown>, names: readonly string[]): object {
  for (const name of names) if (values[name] === '') delete values[name]
  return values
}
