import type { IncomingHttpHeaders } from 'node:http'

/** What a proxy tells of the request as it got it. */
export interface Forwarded {
  readonly proto?: 'http' | 'https'
  /** With its port. */
  readonly host?: string
  /** The beginning of the path that the proxy took away, such as `/mock`. */
  readonly prefix?: string
}

/** `Forwarded` (RFC 7239), else `X-Forwarded-*`; of several proxies the first one, which is the nearest to the client. */
export function forwardedBy(headers: IncomingHttpHeaders): Forwarded {
  const { forwarded } = headers
  if (forwarded === undefined && !PROXIES.some((name) => headers[name] !== undefined)) return NOTHING
  const standard = forwarded === undefined ? {} : parseForwarded(forwarded)
  const proto = (standard.proto ?? first(headers['x-forwarded-proto']))?.toLowerCase()
  const host = standard.host ?? first(headers['x-forwarded-host'])
  const prefix = first(headers['x-forwarded-prefix'])?.replace(/\/+$/, '')
  return {
    ...((proto === 'http' || proto === 'https') && { proto }),
    ...(host !== undefined && { host }),
    ...(prefix !== undefined && PREFIX.test(prefix) && { prefix }),
  }
}

const PROXIES = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-prefix']
const NOTHING: Forwarded = {}

/** A path, and nothing that could lead to another host. */
const PREFIX = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)+$/

function first(header: string | string[] | undefined): string | undefined {
  const [value = ''] = String(header ?? '').split(',')
  const text = value.trim()
  return text === '' ? undefined : text
}

/** `for=…;host="…";proto=…` of the first hop. */
function parseForwarded(header: string): Readonly<Record<string, string | undefined>> {
  const [hop = ''] = /^(?:[^",]|"[^"]*")*/.exec(header) ?? []
  const pairs = hop.split(';').map((pair) => /^\s*(\w+)=\s*"?([^"]*?)"?\s*$/.exec(pair))
  return Object.fromEntries(
    pairs.flatMap((pair) => (pair === null ? [] : [[(pair[1] as string).toLowerCase(), pair[2]]])),
  )
}
