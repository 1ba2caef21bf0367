import type { IncomingHttpHeaders } from 'node:http'
import { headerValue } from '../../engine/contract/contract.js'
import { HOP_BY_HOP } from '../../engine/files/check-rule.js'
import { ADMIN_COOKIE } from '../../engine/http/admin/access.js'
import { EXPOSE_HEADERS } from '../../engine/http/cors.js'
import type { Call } from '../../engine/http/operations/call.js'
import type { ProviderRequest } from '../http/client.js'

export function createProviderRequestHead(
  call: Call,
  url: string,
  { providerToken, pseudonym }: { readonly providerToken?: string | undefined; readonly pseudonym: string },
): Pick<ProviderRequest, 'method' | 'path' | 'headers'> {
  const { request } = call.fastify
  const { preferences } = call.request
  const { adminToken } = call.sandbox.settings
  // RFC 9110, section 7.6.3.
  const via = [request.headers.via ?? [], `1.1 ${pseudonym}`].flat().join(', ')
  const headers = ['Host', new URL(url).host, 'Via', via]
  const { rawHeaders } = request.raw
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = rawHeaders.slice(at, at + 2) as [string, string]
    const lower = name.toLowerCase()
    if (NOT_FORWARDED.test(lower) || !isEndToEnd(lower, request.headers.connection)) continue
    const hasPreferences = lower === 'prefer' && preferences !== null
    const forwarded = hasPreferences
      ? preferences.withoutPreferences.prefer
      : forwardedValue(lower, value, call, providerToken)
    if (forwarded === undefined || (adminToken !== undefined && forwarded.includes(adminToken))) continue
    headers.push(name, forwarded)
  }
  return { method: request.method, path: preferences?.withoutPreferences.url ?? request.url, headers }
}

/** Headers that get a new value, or that only the mock reads. */
const NOT_FORWARDED = /^(?:host|via|x-mock-.*)$/

/** Undefined removes the header. */
function forwardedValue(name: string, value: string, { contract, sandbox }: Call, providerToken?: string) {
  if (name === 'cookie') {
    // Browsers send cookies to all ports of a host.
    const others = value.split(/; */).filter((pair) => !ADMIN_COOKIE.test(pair))
    return others.join('; ') || undefined
  }
  const header = contract.conventions.tokenHeaders.find((one) => one.name === name)
  if (header === undefined) return value
  if (providerToken !== undefined) return headerValue(header, providerToken)
  if (header.scheme === undefined) return sandbox.withoutSuffix(value)
  return value.replace(/^(bearer +)(\S+)(?= *$)/i, (_, before, token) => before + sandbox.withoutSuffix(token))
}

/** Omits CORS headers, which the mock sets itself. */
export function createClientAnswerHead(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const passed = Object.entries(headers).filter(([name, value]) => {
    if (name === 'content-disposition' && !isSendableDisposition(String(value))) return false
    return isEndToEnd(name, headers.connection) && (name === EXPOSE_HEADERS || !ORIGIN_WIDE.test(name))
  })
  const isJson = /^application\/(?:[\w.-]+\+)?json *(?:;[^,]*)?$/i.test(headers['content-type'] ?? '')
  // A provider's page must not act with the dashboard's origin.
  return Object.fromEntries([...passed, ...(isJson ? [] : [['content-security-policy', 'sandbox']])])
}

/** Node reads this header again as UTF-8, and then accepts only Latin-1. */
function isSendableDisposition(value: string): boolean {
  return /^[\0-\xff]*$/.test(Buffer.from(value, 'latin1').toString())
}

/** Headers that would affect all pages of the mock. */
const ORIGIN_WIDE = /^(?:access-control-.*|strict-transport-security|clear-site-data|x-mock-.*)$/

function isEndToEnd(name: string, connection = ''): boolean {
  // Needed even if `Connection` names it.
  if (name === 'content-length') return true
  // Node has answered `Expect` already.
  if (HOP_BY_HOP.test(name) || name === 'expect') return false
  // undici passes a repeated `Connection` as a list.
  const connectionHeaders = String(connection)
    .toLowerCase()
    .split(/[\s,]+/)
  return !connectionHeaders.includes(name)
}
