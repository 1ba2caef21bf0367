import type { IncomingHttpHeaders } from 'node:http'
import { forwardedBy } from './base-url.js'

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/** Takes a host name or an address, without a port. */
export function isLoopback(name: string): boolean {
  return LOOPBACK.test(name)
}

export function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname)
}

/** The name in a Host header, without its port. */
export function hostNameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

/**
 * The host that a proxy says it was called by; undefined unless the proxy reached the server by a loopback name: a page
 * that made the browser believe that its own name is this machine proves nothing by a header.
 */
export function proxiedHostOf(headers: IncomingHttpHeaders): string | undefined {
  return isLoopback(hostNameOf(headers.host ?? '')) ? forwardedBy(headers).host : undefined
}

/** Ignores the scheme: a proxy may terminate TLS. */
export function isSameHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
