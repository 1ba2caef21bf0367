import type { ProviderRequest } from '../../../provider/client.js'
import { tokenIn } from '../../../world/token-ending.js'
import type { World } from '../../../world/world.js'
import { sandboxMember } from '../../sandbox-of.js'
import type { Call } from '../call.js'
import { withoutPreferences, withoutTwins } from '../preferences.js'
import { isEndToEnd } from './end-to-end.js'

/** The head of a request as the provider gets it: the client's, without all that is between client and mock. */
export function requestHead(
  { request, world }: Call,
  provider: string,
): Pick<ProviderRequest, 'method' | 'path' | 'headers'> {
  const { method, url } = request
  const { providerToken } = world.settings
  const own = { ...translators, ...(providerToken === undefined ? withoutEnding(world) : withToken(providerToken)) }
  const headers = ['Host', new URL(provider).host]
  const { rawHeaders } = request.raw
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = rawHeaders.slice(at, at + 2) as [string, string]
    const lower = name.toLowerCase()
    if (lower === 'host' || lower.startsWith('x-mock-') || !isEndToEnd(lower, request.headers.connection)) continue
    const translate = own[lower]
    const translated = translate === undefined ? value : translate(value)
    if (translated !== undefined) headers.push(name, translated)
  }
  return { method, path: withoutTwins(url), headers }
}

type Translator = (value: string) => string | undefined

/** What becomes of fields that say something to the mock. */
const translators: Readonly<Record<string, Translator | undefined>> = Object.assign(Object.create(null), {
  prefer: withoutPreferences,
  baggage: withoutSandbox,
} satisfies Record<string, Translator>)

function withToken(token: string): Record<string, Translator> {
  return { authorization: () => `Bearer ${token}`, 'user-token': () => token }
}

/** The tokens of the client, without the sandbox that they end in. */
function withoutEnding(world: World): Record<string, Translator> {
  return {
    authorization: (value) => value.replace(/(?<=^bearer +)\S+(?= *$)/i, (token) => tokenIn(world, token)),
    'user-token': (value) => tokenIn(world, value),
  }
}

/** The other members of W3C Baggage. */
function withoutSandbox(value: string): string | undefined {
  const members = value.split(',')
  const others = members.filter((member) => sandboxMember(member) === undefined)
  if (others.length === members.length) return value
  return others.length === 0 ? undefined : others.join(',').trimStart()
}
