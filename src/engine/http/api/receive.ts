import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type Contract, filesOf } from '../../contract/contract.js'
import { isAbsentWhenEmpty } from '../../contract/emptiness.js'
import { WHOLE_NUMBER } from '../../contract/fields.js'
import { groupBy } from '../../contract/group-by.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { readRawBody } from '../raw-body.js'
import { readToken } from './authenticate.js'
import type { Middleware } from './call.js'
import { parseMislabelledForm } from './mislabelled-form.js'
import { readPreferences } from './preferences.js'
import { readForm } from './read-form.js'
import { notMultipart } from './unreadable-body.js'

type ReceivedBody = Pick<ReceivedRequest, 'form' | 'text' | 'unreadable' | 'bytes' | 'meantForm'>

const NO_BODY: ReceivedBody = { form: null, text: null, unreadable: null, bytes: null, meantForm: null }

/** What is known of a request before it is read. */
export function receivedHead(request: FastifyRequest): ReceivedRequest {
  return receivedRequest(request, {}, null, NO_BODY)
}

function receivedRequest(
  request: FastifyRequest,
  query: ReceivedRequest['query'],
  preferences: ReceivedRequest['preferences'],
  { form, text, unreadable, bytes, meantForm }: ReceivedBody,
): ReceivedRequest {
  const { method, originalUrl: url, begun } = request
  const headers = receivedHeaders(request)
  const params = begun.contract === null ? {} : (request.params as Record<string, string>)
  const { token, tokenHeader } = readToken(request.headers, begun.contract?.tokenHeaders ?? [], begun.sandbox)
  return {
    method,
    url,
    headers,
    params,
    query,
    preferences,
    token,
    tokenHeader,
    form,
    text,
    unreadable,
    bytes,
    meantForm,
    isCut: false,
  }
}

/** Node joins the values of most headers that are sent twice: they become a list. */
function receivedHeaders({ headers, raw: { rawHeaders } }: FastifyRequest): ReceivedRequest['headers'] {
  if (rawHeaders.length === Object.keys(headers).length * 2) return headers
  // Not `headersDistinct`: it takes time, and in Node 20.19 a header `__proto__` is too much for it.
  const names = [...rawHeaders.keys()].filter((at) => at % 2 === 0)
  const byName = groupBy(names, (at) => (rawHeaders[at] as string).toLowerCase())
  const lists = Array.from(byName, ([name, all]) => [name, all.map((at) => rawHeaders[at + 1] as string)] as const)
  const repeated = lists.filter(([name, values]) => values.length > 1 && headers[name] === values.join(', '))
  return { ...headers, ...Object.fromEntries(repeated) }
}

/**
 * Reads the whole request, and prepares query and body as the schemas of the route take them. A body that cannot be read
 * throws nothing: that is a violation like any other.
 */
export function createReader(contract: Contract, middlewares: readonly Middleware[]) {
  const integers = namesIn(contract.query, ({ type }) => type === 'integer')
  const optionalQuery = namesIn(contract.query, isAbsentWhenEmpty)
  const optionalForm = namesIn(contract.form, isAbsentWhenEmpty)
  const files = filesOf(contract)
  const names = middlewares.flatMap(({ preferences = [] }) => preferences)
  return async (request: FastifyRequest): Promise<void> => {
    const query = request.query as Record<string, unknown>
    const preferences = readPreferences(request, names)
    const sent = { ...query } as ReceivedRequest['query']
    for (const name of integers) if (name in query) query[name] = decodeInteger(query[name])
    dropEmpty(query, optionalQuery)
    const body = await readBody(request, contract, files, middlewares)
    request.received = receivedRequest(request, sent, preferences, body)
    request.body = body.form === null ? undefined : dropEmpty({ ...body.form }, optionalForm)
  }
}

async function readBody(
  request: FastifyRequest,
  contract: Contract,
  files: ReadonlySet<string>,
  middlewares: readonly Middleware[],
): Promise<ReceivedBody> {
  if (contract.form === undefined) return readText(request)
  if (request.isMultipart()) {
    const keepsBytes = middlewares.some((one) => one.isAlwaysOn && one.needsBytes)
    return { ...NO_BODY, ...(await readForm(request, files, keepsBytes)) }
  }
  const body = await readText(request)
  const type = request.headers['content-type']
  if (type === undefined && body.text === null) return { ...body, form: {} }
  return { ...body, unreadable: notMultipart(type, body.text, contract) }
}

/** A body that is no form. Fastify has read it already, unless it is multipart. */
export async function readText(request: FastifyRequest): Promise<ReceivedBody> {
  const { headers, body } = request
  // Fastify reads no body of a GET.
  if (
    body === undefined &&
    !request.isMultipart() &&
    (headers['transfer-encoding'] || Number(headers['content-length']) > 0)
  )
    return { ...NO_BODY, bytes: await readRawBody(request) }
  const bytes = request.isMultipart() ? await readRawBody(request) : ((body as Buffer | undefined) ?? null)
  if (bytes === null) return NO_BODY
  return { ...NO_BODY, text: String(bytes) || null, bytes, meantForm: await parseMislabelledForm(bytes) }
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
function dropEmpty(values: Record<string, unknown>, names: readonly string[]): object {
  for (const name of names) if (values[name] === '') delete values[name]
  return values
}
