import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parseForwarded } from './base-url.js'
import { Problem } from './problems.js'

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

export function isLoopback(name: string): boolean {
  return LOOPBACK.test(name)
}

export function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname)
}

export function hostNameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

/** Undefined unless the proxy calls a loopback name: with DNS rebinding, a page could forge the header. */
export function proxiedHostOf(headers: IncomingHttpHeaders): string | undefined {
  return isLoopback(hostNameOf(headers.host ?? '')) ? parseForwarded(headers).host : undefined
}

/** Node keeps the first of several Host headers; a proxy may use another. */
export function findHostProblem({ rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  const count = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length
  if (count === 1 || (count === 0 && httpVersion !== '1.1')) return undefined
  const detail = `The request has ${count === 0 ? 'no Host header' : `${count} Host headers`}. ${SEND_HOST}`
  return new Problem('bad-request', detail).withViolation('headers.host', SEND_HOST)
}

const SEND_HOST = 'Send one Host header, such as Host: localhost.'

/** Ignores the scheme, because proxies may terminate TLS. */
export function isSameHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
