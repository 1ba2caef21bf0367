import { quote } from '../../engine/contract/wording.js'
import type { Options } from '../../engine/files/config.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import { isLoopback } from '../../engine/http/loopback.js'
import { proxyFor } from '../http/proxy.js'

export type ForwardSettings = Pick<Options, 'provider' | 'fallback' | 'providerToken'>

/** Addresses that reach this machine, as URLs write them. */
const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '[::]'])

/** @throws {InvalidOption} if an option needs a provider that is not set, or calls to the provider cannot leave here */
export function checkProvider({
  provider,
  providerToken,
  fallback,
  host,
  port,
}: ForwardSettings & Pick<Options, 'host' | 'port'>): void {
  if (provider === undefined) {
    if (!fallback && providerToken === undefined) return
    throw new InvalidOption(
      `${fallback ? '--fallback' : '--provider-token'} needs --provider. Set it to the URL of the service to forward requests to.`,
    )
  }
  if (!URL.canParse(provider))
    throw new InvalidOption(`--provider ${quote(provider)} has an impossible host. Name the real service.`)
  const { port: named, hostname } = new URL(provider)
  // A call would be forwarded without an end.
  if (named === `${port}` && (isLoopback(hostname) || UNSPECIFIED.has(hostname) || hostname === host))
    throw new InvalidOption(
      `--provider ${quote(provider)} is this server itself. Name the real service, or use another --port.`,
    )
  proxyFor(provider)
}

/** Where calls go, as the end of a sentence. */
export function forwardingText({ provider, fallback }: ForwardSettings): string {
  return `forwarded to ${provider}${fallback ? '; while it cannot be reached, the mock answers' : ''}`
}
