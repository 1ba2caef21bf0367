const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/** Whether an address or a host's name, without a port, is this machine's own. */
export function isLoopback(name: string): boolean {
  return LOOPBACK.test(name)
}

/** Whether a web page's origin is this machine, at any port. */
export function isLoopbackOrigin(origin: string): boolean {
  const url = urlOf(origin)
  return url !== undefined && isLoopback(url.hostname)
}

/** Whether a web page's origin is what a Host header names; a proxy may speak TLS in front of us. */
export function isSameHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && urlOf(origin)?.host === host.toLowerCase()
}

function urlOf(origin: string): URL | undefined {
  try {
    return new URL(origin)
  } catch {
    return undefined
  }
}
