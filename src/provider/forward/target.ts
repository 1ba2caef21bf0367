/** Where requests are forwarded to. */
export interface Target {
  /** As people name it: without a slash at its end. */
  readonly url: string
  readonly protocol: 'http:' | 'https:'
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string
  readonly port: number
  /** The value of `Host`. */
  readonly host: string
  /** What paths begin with there; empty, or without a slash at its end. */
  readonly base: string
}

let last: Target | undefined
let lastUrl: string | undefined

/** The parts of a provider's URL; the last one is remembered, since there is hardly ever another. */
export function targetOf(provider: string): Target {
  if (lastUrl === provider && last !== undefined) return last
  const { protocol, hostname, port, host, pathname, origin } = new URL(provider)
  const base = pathname.replace(/\/+$/, '')
  last = {
    url: `${origin}${base}`,
    protocol: protocol as Target['protocol'],
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    host,
    base,
  }
  lastUrl = provider
  return last
}
