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
    if (OWN.test(lower) || !isEndToEnd(lower, request.headers.connection)) continue
    const isOurs = lower === 'prefer' && preferences !== null
    const forProvider = isOurs ? preferences.withoutPreferences.prefer : translate(lower, value, call, providerToken)
    if (forProvider === undefined || (adminToken !== undefined && forProvider.includes(adminToken))) continue
    headers.push(name, forProvider)
  }
  return { method: request.method, path: preferences?.withoutPreferences.url ?? request.url, headers }
}

/** Set anew, or for the mock alone. */
const OWN = /^(?:host|via|x-mock-.*)$/

/** Undefined removes the header. */
function translate(name: string, value: string, { contract, sandbox }: Call, providerToken?: string) {
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

/** Without CORS headers: the mock sets its own. */
export function createClientAnswerHead(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(
    ([name]) => isEndToEnd(name, headers.connection) && (name === EXPOSE_HEADERS || !OF_THE_ORIGIN.test(name)),
  )
  const isJson = /^application\/(?:[\w.-]+\+)?json *(?:;[^,]*)?$/i.test(headers['content-type'] ?? '')
  // A provider's page must not act with the dashboard's origin.
  return Object.fromEntries([...kept, ...(isJson ? [] : [['content-security-policy', 'sandbox']])])
}

/** Headers that would hold for the whole mock. */
const OF_THE_ORIGIN = /^(?:access-control-.*|strict-transport-security|clear-site-data|x-mock-.*)$/

/** `connection` may be a list. */
function isEndToEnd(name: string, connection = ''): boolean {
  // Needed even if `Connection` names it.
  if (name === 'content-length') return true
  // Node answers `Expect`.
  return (
    !HOP_BY_HOP.test(name) &&
    name !== 'expect' &&
    !String(connection)
      .toLowerCase()
      .split(/[\s,]+/)
      .includes(name)
  )
}
