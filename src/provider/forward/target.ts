/** Where requests are forwarded to. */
export interface Target {
  /** As people name it: without a slash at its end. */
  readonly url: string
  readonly protocol: 'http:' | 'https:'
  readonly origin: string
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string
  readonly port: number
  /** The value of `Host`. */
  readonly host: string
  /** What paths begin with there; empty, or without a slash at its end. */
  readonly base: string
}

/** The parts of a provider's URL. */
export function targetOf(provider: string): Target {
  const { protocol, hostname, port, host, pathname, origin } = new URL(provider)
  const base = pathname.replace(/\/+$/, '')
  return {
    url: `${origin}${base}`,
    protocol: protocol as Target['protocol'],
    origin,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    host,
    base,
  }
}
