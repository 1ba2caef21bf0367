import type { FastifyRequest } from 'fastify'
import type { Contract } from '../../contract/contract.js'
import { groupBy } from '../../contract/group-by.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { tokenIn } from '../../judge/token.js'
import type { Sandbox } from '../../sandbox/sandbox.js'

export type ReceivedBody = Pick<ReceivedRequest, 'form' | 'text' | 'unreadable' | 'bytes' | 'meantForm'>

export const NO_BODY: ReceivedBody = { form: null, text: null, unreadable: null, bytes: null, meantForm: null }

interface RequestHead {
  readonly request: FastifyRequest
  readonly sandbox: Sandbox
  readonly contract: Contract | null
}

export function readHead(head: RequestHead): ReceivedRequest {
  return toReceivedRequest(head, {}, null, NO_BODY)
}

export function toReceivedRequest(
  { request, contract, sandbox }: RequestHead,
  query: ReceivedRequest['query'],
  preferences: ReceivedRequest['preferences'],
  { form, text, unreadable, bytes, meantForm }: ReceivedBody,
): ReceivedRequest {
  const { method, originalUrl: url } = request
  const headers = readHeaders(request)
  const params = contract === null ? {} : (request.params as Record<string, string>)
  const { token, tokenHeader } = readToken(request.headers, contract, sandbox)
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

/** Node joins repeated headers, and drops a repeated token: here they become lists. */
function readHeaders({ headers, raw: { rawHeaders } }: FastifyRequest): ReceivedRequest['headers'] {
  if (rawHeaders.length === Object.keys(headers).length * 2) return headers
  // `headersDistinct` is slow, and in Node 20.19 fails on a header `__proto__`.
  const names = [...rawHeaders.keys()].filter((at) => at % 2 === 0)
  const byName = groupBy(names, (at) => (rawHeaders[at] as string).toLowerCase())
  const lists = Array.from(byName, ([name, all]) => [name, all.map((at) => rawHeaders[at + 1] as string)] as const)
  const isJoined = (name: string, values: readonly string[]) =>
    headers[name] === values.join(', ') || name === 'authorization'
  const repeated = lists.filter(([name, values]) => values.length > 1 && isJoined(name, values))
  return { ...headers, ...Object.fromEntries(repeated) }
}

function readToken(
  headers: ReceivedRequest['headers'],
  contract: Contract | null,
  sandbox: Sandbox,
): { readonly token: string | undefined; readonly tokenHeader: string } {
  const tokenHeaders = contract?.tokenHeaders ?? sandbox.api.conventions.tokenHeaders.slice(0, 1)
  const header = tokenHeaders.find(({ name }) => headers[name] !== undefined) ?? tokenHeaders[0]
  const value = header && headers[header.name]
  const token = header && value && tokenIn(header, value)
  return { token: token && sandbox.withoutSuffix(token), tokenHeader: header?.name ?? '' }
}
