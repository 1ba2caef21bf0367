import { lookup } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { quote } from '../text/wording.js'
import type { Settings } from '../world/settings.js'
import { InvalidOption } from './invalid-option.js'

/**
 * Checks the options about the provider; `addresses` are those on which this server listens.
 * @throws {InvalidOption} if an option needs a provider that is not set, or the provider is this server itself
 */
export async function checkProvider(
  { provider, providerToken, fallback }: Settings,
  addresses: readonly AddressInfo[],
): Promise<void> {
  if (provider !== undefined) {
    if (URL.canParse(provider)) return requireOther(provider, addresses)
    throw new InvalidOption(`--provider ${quote(provider)} has an impossible host. Name the real service.`)
  }
  const flag = fallback ? '--fallback' : '--provider-token'
  if (!fallback && providerToken === undefined) return
  throw new InvalidOption(`${flag} needs --provider. Set it to the URL of the service to forward requests to.`)
}

async function requireOther(provider: string, addresses: readonly AddressInfo[]): Promise<void> {
  const { protocol, port, hostname } = new URL(provider)
  const called = Number(port) || (protocol === 'https:' ? 443 : 80)
  const listening = addresses.filter((one) => one.port === called).map(({ address }) => plain(address))
  if (listening.length === 0) return
  // A host that is unknown now may be known later; it is looked up with each connection.
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const isOurs = (address: string) => /^127\./.test(address) || own.some((one) => plain(one.address) === address)
  const leadsHere = found
    .map(({ address }) => plain(address))
    // What connects to any address connects to this machine.
    .map((address) => LOOPBACK_OF[address] ?? address)
    .some((to) => listening.some((at) => at === to || (LOOPBACK_OF[at] !== undefined && isOurs(to))))
  if (!leadsHere) return
  throw new InvalidOption(
    `--provider ${quote(provider)} is this server itself. Name the real service, or use another --port.`,
  )
}

/** The addresses that mean any. */
const LOOPBACK_OF: Readonly<Record<string, string | undefined>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** An address in one spelling: IPv4 in IPv6 as IPv4, without a zone. */
function plain(address: string): string {
  const [bare = ''] = address.toLowerCase().split('%')
  const mapped = /^::ffff:(?:([\d.]+)|([\da-f]+):([\da-f]+))$/.exec(bare)
  if (mapped === null) return bare
  const [, dotted, high = '', low = ''] = mapped
  if (dotted !== undefined) return dotted
  return [high, low].flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]).join('.')
}
