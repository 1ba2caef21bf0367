import { lookup } from 'node:dns/promises'
import { BlockList } from 'node:net'
import { networkInterfaces } from 'node:os'
import { quote } from '../text/wording.js'
import type { Settings } from '../world/settings.js'
import { InvalidOption } from './invalid-option.js'

/**
 * Checks the options about the provider; `port` is the one on which this server listens, if it does already.
 * @throws {InvalidOption} if an option needs a provider that is not set, or the provider is this server itself
 */
export async function checkProvider({ provider, providerToken, fallback }: Settings, port?: number): Promise<void> {
  if (provider === undefined) {
    if (!fallback && providerToken === undefined) return
    throw new InvalidOption(
      `${fallback ? '--fallback' : '--provider-token'} needs --provider. Set it to the URL of the service to forward requests to.`,
    )
  }
  if (!URL.canParse(provider))
    throw new InvalidOption(`--provider ${quote(provider)} has an impossible host. Name the real service.`)
  const { protocol, port: named, hostname } = new URL(provider)
  const called = Number(named) || (protocol === 'https:' ? 443 : 80)
  if (called === port && (await isThisMachine(hostname)))
    throw new InvalidOption(
      `--provider ${quote(provider)} is this server itself. Name the real service, or use another --port.`,
    )
}

/** Where calls go, as the end of a sentence. */
export function forwardedTo({ provider, fallback }: Settings): string {
  return `forwarded to ${provider}${fallback ? '; while it cannot be reached, the mock answers' : ''}`
}

async function isThisMachine(hostname: string): Promise<boolean> {
  const own = new BlockList()
  own.addSubnet('127.0.0.0', 8)
  // What connects to any address connects to this machine.
  own.addAddress('0.0.0.0')
  own.addAddress('::', 'ipv6')
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    own.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4')
  // A host that is unknown now may be known later; it is looked up with each connection.
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  return found.some(({ address, family }) => own.check(address, family === 6 ? 'ipv6' : 'ipv4'))
}
