import type { IncomingHttpHeaders } from 'node:http'
import type { Sandbox } from '../sandbox/sandbox.js'
import { withoutTrailingSlashes } from './slashes.js'

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

export interface ClientAddress {
  readonly headers: IncomingHttpHeaders
  /** The socket of `inject` has no port. */
  readonly raw: { readonly socket: { readonly localPort?: number; readonly encrypted?: boolean } }
}

/** From --public-url, the headers of a proxy, or a valid Host header; without a trailing slash. */
export function serverUrlOf({ headers, raw }: ClientAddress, { settings: { publicUrl } }: Sandbox): string {
  if (publicUrl !== undefined) return withoutTrailingSlashes(publicUrl)
  const serverProto = raw.socket.encrypted === true ? 'https' : 'http'
  const { proto = serverProto, host, prefix = '' } = parseForwarded(headers)
  return `${proto}://${[host, headers.host].find(isHost) ?? `127.0.0.1:${raw.socket.localPort}`}${prefix}`
}

function isHost(text: string | undefined): boolean {
  return text !== undefined && HOST.test(text) && URL.canParse(`http://${text}`)
}

export function baseUrlOf(request: ClientAddress, sandbox: Sandbox): string {
  return `${serverUrlOf(request, sandbox)}${sandbox.prefix}`
}

/** Prefers `Forwarded` (RFC 7239) to `X-Forwarded-*`; of several proxies, the nearest to the client. */
export function parseForwarded(headers: IncomingHttpHeaders) {
  const { forwarded, 'x-forwarded-proto': xProto, 'x-forwarded-host': xHost, 'x-forwarded-prefix': xPrefix } = headers
  if (!(forwarded || xProto || xHost || xPrefix)) return {}
  const [hop = ''] = /^(?:[^",]|"[^"]*")*/.exec(forwarded ?? '') ?? []
  const proto = (parameterOf(hop, 'proto') ?? firstValue(xProto))?.toLowerCase()
  const host = parameterOf(hop, 'host') ?? firstValue(xHost)
  const prefix = withoutTrailingSlashes(firstValue(xPrefix) ?? '')
  return {
    proto: proto === 'http' || proto === 'https' ? proto : undefined,
    host,
    prefix: PREFIX.test(prefix) ? prefix : undefined,
  }
}

/** A path that cannot lead to another host. */
const PREFIX = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)+$/

function firstValue(header: string | string[] | undefined): string | undefined {
  const [value = ''] = String(header ?? '').split(',')
  const text = value.trim()
  return text === '' ? undefined : text
}

/** `hop` has the form `for=…;host="…";proto=…`. */
function parameterOf(hop: string, name: string): string | undefined {
  const pairs = hop.split(';').map((pair) => pair.split(/=(.*)/s))
  const [, value] = pairs.find(([key = '']) => key.trim().toLowerCase() === name) ?? []
  return value?.trim().replace(/^"|"$/g, '')
}
