import type { IncomingHttpHeaders } from 'node:http'
import type { ProviderRequest } from '../../../provider/client.js'
import { stripSandboxSuffix } from '../../../world/token-ending.js'
import type { World } from '../../../world/world.js'
import { sandboxMember } from '../../sandbox-of.js'
import type { Call } from '../call.js'
import { withoutPreferences, withoutTwins } from '../preferences.js'

/** The client's request head, without the parts meant for the mock. */
export function createProviderRequestHead(
  { request, world }: Call,
  provider: string,
): Pick<ProviderRequest, 'method' | 'path' | 'headers'> {
  const { method, url } = request
  const headers = ['Host', new URL(provider).host]
  const { rawHeaders } = request.raw
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = rawHeaders.slice(at, at + 2) as [string, string]
    const lower = name.toLowerCase()
    if (lower === 'host' || lower.startsWith('x-mock-') || !isEndToEnd(lower, request.headers.connection)) continue
    const forProvider = translate(lower, value, world)
    if (forProvider !== undefined) headers.push(name, forProvider)
  }
  return { method, path: withoutTwins(url), headers }
}

/** Rewrites headers that the mock reads; undefined drops one. */
function translate(name: string, value: string, world: World): string | undefined {
  const { providerToken } = world.settings
  if (name === 'prefer') return withoutPreferences(value)
  if (name === 'baggage') return withoutSandbox(value)
  if (name === 'user-token') return providerToken ?? stripSandboxSuffix(world, value)
  if (name !== 'authorization') return value
  if (providerToken !== undefined) return `Bearer ${providerToken}`
  return value.replace(/(?<=^bearer +)\S+(?= *$)/i, (token) => stripSandboxSuffix(world, token))
}

function withoutSandbox(value: string): string | undefined {
  const members = value.split(',')
  const others = members.filter((member) => sandboxMember(member) === undefined)
  if (others.length === members.length) return value
  return others.length === 0 ? undefined : others.join(',').trimStart()
}

type Head = Record<string, string | string[]>

/** The provider's headers that the client gets. */
export function createClientAnswerHead({ request, reply }: Call, headers: IncomingHttpHeaders): Head {
  const fromOrigin = request.headers.origin !== undefined
  const head: Head = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !isEndToEnd(name, headers.connection)) continue
    // The mock sets its own CORS headers.
    if (!(fromOrigin && name.startsWith('access-control-'))) head[name] = value
  }
  if (!fromOrigin) return head
  const exposed = [
    reply.getHeader('access-control-expose-headers') ?? [],
    headers['access-control-expose-headers'] ?? [],
  ].flat()
  head['access-control-expose-headers'] = exposed.join(', ')
  return head
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and one that Node answers. */
const HOP_BY_HOP = /^(?:connection|proxy-connection|keep-alive|te|transfer-encoding|trailer|upgrade|expect)$/

/** `name` in lower case; `connection` is the value of that header. */
function isEndToEnd(name: string, connection = ''): boolean {
  if (HOP_BY_HOP.test(name)) return false
  const named = connection
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
  // Needed even if `Connection` names it.
  return name === 'content-length' || !named.includes(name)
}
