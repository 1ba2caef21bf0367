import { type Static, type TObject, Type } from '@sinclair/typebox'
import { quote } from '../../engine/contract/wording.js'
import { BASE_URL, type EngineOptions } from '../../engine/files/config.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import { isLoopback } from '../../engine/http/loopback.js'
import type { CallDestination } from '../../engine/tool.js'
import { proxyFor } from '../http/proxy.js'

export const providerOptions = {
  provider: Type.Optional(
    Type.String({
      pattern: BASE_URL,
      'x-option': { live: true, placeholder: 'URL', secret: 'credentials' },
      description: 'URL of the real service to forward calls to. Forced outcomes and scenarios still come first.',
      'x-allowed': 'a URL such as https://api.example.test, without user, query or fragment',
    }),
  ),
  fallback: Type.Boolean({
    default: false,
    'x-option': { live: true },
    description: 'With --provider: let the mock answer while the provider cannot be reached.',
  }),
  providerToken: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]+$',
      'x-option': { live: true, placeholder: 'TOKEN', secret: 'whole-value' },
      description: 'With --provider: token to send to the provider instead of the one that the client sends.',
      'x-allowed': 'a token: printable ASCII without white space',
    }),
  ),
}

type ProviderSettings = Static<TObject<typeof providerOptions>>

export interface ForwardSettings extends ProviderSettings, Pick<EngineOptions, 'host' | 'port'> {}

/** @throws {InvalidOption} */
export function checkProvider({ provider, providerToken, fallback, host, port }: ForwardSettings): void {
  if (provider === undefined) {
    if (!fallback && providerToken === undefined) return
    throw new InvalidOption(
      `${fallback ? '--fallback' : '--provider-token'} needs --provider. Set it to the URL of the service to forward requests to.`,
    )
  }
  if (!URL.canParse(provider))
    throw new InvalidOption(`--provider ${quote(provider)} has an invalid host. Set it to the URL of the real service.`)
  const { port: providerPort, hostname } = new URL(provider)
  if (providerPort === `${port}` && (isLoopback(hostname) || ['0.0.0.0', '[::]', host].includes(hostname)))
    throw new InvalidOption(
      `--provider ${quote(provider)} is this server itself. Set it to the URL of the real service, or use another --port.`,
    )
  proxyFor(provider) // Throws if the proxy is unusable.
}

export function destinationFor({ provider, fallback, providerToken }: ProviderSettings): CallDestination | undefined {
  if (provider === undefined) return undefined
  const tokens =
    providerToken === undefined
      ? "The provider's: calls are forwarded with the token that the client sends."
      : 'Any: calls are forwarded with the token set with --provider-token.'
  const calls = `forwarded to ${provider}${fallback ? '; while it cannot be reached, the mock answers' : ''}`
  return { name: 'the provider', calls, tokens }
}
