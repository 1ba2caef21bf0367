import type { IncomingHttpHeaders } from 'node:http'
import type { Sandbox } from '../sandbox/sandbox.js'
import { withoutEndingSlashes } from './slashes.js'

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

export interface ClientAddress {
  readonly headers: IncomingHttpHeaders
  /** `inject` has no socket. */
  readonly raw: { readonly socket: { readonly localPort?: number; readonly encrypted?: boolean } }
}

/** From --public-url, a proxy's headers, or a valid Host header; without a trailing slash. */
export function serverUrlOf({ headers, raw }: ClientAddress, { settings: { publicUrl } }: Sandbox): string {
  if (publicUrl !== undefined) return withoutEndingSlashes(publicUrl)
  const { host } = headers
  const own = raw.socket.encrypted === true ? 'https' : 'http'
  const { proto = own, host: forwarded, prefix = '' } = forwardedBy(headers)
  const known = [forwarded, host].find(isHost) ?? ownHost(raw)
  return `${proto}://${known}${prefix}`
}

function isHost(text: string | undefined): boolean {
  return text !== undefined && HOST.test(text) && URL.canParse(`http://${text}`)
}

function ownHost({ socket: { localPort } }: ClientAddress['raw']): string {
  return localPort === undefined ? '127.0.0.1' : `127.0.0.1:${localPort}`
}

export function baseUrlOf(request: ClientAddress, sandbox: Sandbox): string {
  return `${serverUrlOf(request, sandbox)}${sandbox.prefix}`
}

/** `Forwarded` (RFC 7239), else `X-Forwarded-*`; of several proxies, the nearest to the client. */
export function forwardedBy(headers: IncomingHttpHeaders) {
  const { forwarded, 'x-forwarded-proto': scheme, 'x-forwarded-host': name, 'x-forwarded-prefix': below } = headers
  if (!(forwarded || scheme || name || below)) return {}
  const [hop = ''] = /^(?:[^",]|"[^"]*")*/.exec(forwarded ?? '') ?? []
  const proto = (parameterOf(hop, 'proto') ?? first(scheme))?.toLowerCase()
  const host = parameterOf(hop, 'host') ?? first(name)
  const prefix = withoutEndingSlashes(first(below) ?? '')
  return {
    proto: proto === 'http' || proto === 'https' ? proto : undefined,
    host,
    prefix: PREFIX.test(prefix) ? prefix : undefined,
  }
}

/** Cannot name another host. */
const PREFIX = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)+$/

function first(header: string | string[] | undefined): string | undefined {
  const [value = ''] = String(header ?? '').split(',')
  const text = value.trim()
  return text === '' ? undefined : text
}

/** In `for=…;host="…";proto=…`. */
function parameterOf(hop: string, name: string): string | undefined {
  const pairs = hop.split(';').map((pair) => pair.split(/=(.*)/s))
  const [, value] = pairs.find(([key = '']) => key.trim().toLowerCase() === name) ?? []
  return value?.trim().replace(/^"|"$/g, '')
}
