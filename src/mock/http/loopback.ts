const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/** Takes a host name or an address, without a port. */
export function isLoopback(name: string): boolean {
  return LOOPBACK.test(name)
}

export function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname)
}

/** Ignores the scheme: a proxy may terminate TLS. */
export function isSameHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
