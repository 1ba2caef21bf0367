import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { unescaped } from '../text/unescaped.js'
import { quote } from '../text/wording.js'
import { bearerToken } from '../validation/token.js'
import type { SandboxSelector } from '../world/journal/exchange.js'
import { SANDBOX_NAME } from '../world/sandbox-name.js'
import { tokenEnding, userOfToken } from '../world/token-ending.js'
import type { World } from '../world/world.js'
import type { Worlds } from '../world/worlds.js'
import { Problem } from './problems.js'

/**
 * The world that the base URL chooses.
 * @throws {Problem} for what is not a sandbox name
 */
export function worldOf({ originalUrl }: FastifyRequest, worlds: Worlds): World {
  const sandbox = sandboxIn(originalUrl)
  if (sandbox === undefined) return worlds.root
  const world = worlds.sandbox(sandbox)
  if (world !== undefined) return world
  throw badSandboxName(sandbox)
}

/** What a URL begins with: its host where a proxy is asked, and a sandbox's name where there is one. */
const PREFIX = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?(?:\/(?:~|%7e)([^/?#]*))?/i

/** The name that a URL has in the place of a sandbox's, empty where it cannot be read; undefined without such a place. */
function sandboxIn(url: string): string | undefined {
  const [, name] = PREFIX.exec(url) ?? []
  return name === undefined ? undefined : unescaped(name, '')
}

/**
 * A URL as it is routed: below its sandbox, where each route is the same for all. A name that cannot be read stays. In a
 * URL that cannot be decoded, each `%` stands for itself: the API refuses it (`bad-url`).
 */
export function routedUrl(url: string): string {
  const readable = isDecodable(url) ? url : url.replaceAll('%', '%25')
  if (sandboxIn(readable) === '') return readable
  const below = readable.replace(PREFIX, '')
  return /^[/*]/.test(below) ? below : `/${below}`
}

/** Whether every `%` of a URL escapes something. */
export function isDecodable(url: string): boolean {
  return !url.includes('%') || unescaped(url, '') !== ''
}

/** The path of a URL, as it was written. */
export function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '')
}

/** `place`: where the name stands, unless that is the base URL. */
function badSandboxName(name: string, place?: string): Problem {
  const what = place === undefined ? quote(name) : `${quote(name)}, in ${place},`
  return new Problem('bad-sandbox-name', `${what} is not a valid sandbox name. ${ALLOWED_NAMES}`)
}

const ALLOWED_NAMES = 'Use 1 to 64 letters, digits, dots, hyphens and underscores, as in /~worker-3.'

/** Of a call, what can name a world. */
export interface Call {
  /** As the client wrote it. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The headers that a token is read from. */
  readonly tokenHeaders: readonly string[]
}

/** A name of a sandbox, and the place in the request that has it. */
interface Named {
  readonly name: string
  readonly by: SandboxSelector
}

/** How each place is called in words, and in violations. */
const places: { readonly [By in SandboxSelector]: { readonly label: string; readonly where: string } } = {
  url: { label: 'the base URL', where: 'url' },
  header: { label: 'the header X-Mock-Sandbox', where: 'headers.x-mock-sandbox' },
  baggage: { label: 'the header baggage', where: 'headers.baggage' },
  token: { label: 'the ending of the token', where: 'headers.authorization' },
}

/** What a call's URL and header name, in the order in which they count. */
function namesOfPage({ url, headers: { 'x-mock-sandbox': header } }: Pick<Call, 'url' | 'headers'>): Named[] {
  const name = sandboxIn(url)
  const named: Named[] = name === undefined ? [] : [{ name, by: 'url' }]
  if (header === undefined) return named
  // A header that was sent twice arrives as a list.
  return [
    ...named,
    ...String(header)
      .split(',')
      .map((one) => ({ name: one.trim(), by: 'header' }) as const),
  ]
}

/** What a call names besides: in the header baggage, and at the end of its token. */
function namesOfCall({ headers, tokenHeaders }: Call, root: World): Named[] {
  const { baggage, authorization } = headers
  const names: Named[] = baggage === undefined ? [] : inBaggage(String(baggage))
  const tokens = tokenHeaders.map((name) => (name === 'authorization' ? undefined : headers[name]))
  for (const token of [authorization && bearerToken(authorization), ...tokens]) {
    const ending = typeof token === 'string' ? tokenEnding(token) : undefined
    if (ending === undefined || userOfToken(root, String(token)) !== undefined) continue
    names.push({ name: ending.sandbox, by: 'token' })
  }
  return names
}

/** The values of the member `mock-sandbox` (W3C Baggage); whatever else is there, or cannot be read, is of no interest. */
function inBaggage(baggage: string): Named[] {
  const names = baggage.split(',').flatMap((member) => sandboxMember(member) ?? [])
  return names.map((name) => ({ name, by: 'baggage' }))
}

/** What a member of baggage named `mock-sandbox` names; undefined for any other. Properties after a semicolon are not ours. */
export function sandboxMember(member: string): string | undefined {
  const [name = '', value = ''] = member.split(';', 1)[0]?.split(/=(.*)/s) ?? []
  return name.trim() === 'mock-sandbox' ? unescaped(value.trim()) : undefined
}

/** The sandbox of a call, and the place that names it: null at the root. */
export interface Chosen {
  readonly world: World
  readonly by: SandboxSelector | null
}

/**
 * The world that a call of the API names.
 * @throws {Problem} for what is no name, for two names, or for none where one is required
 */
export function chooseSandbox(call: Call, worlds: Worlds): Chosen {
  const named = [...namesOfPage(call), ...namesOfCall(call, worlds.root)]
  if (named.length === 0 && worlds.shared.settings.requireSandbox) throw unnamed()
  return sandboxNamed(named, worlds)
}

/**
 * The world whose page is asked for: a page sends no token.
 * @throws {Problem} for what is no name, and for two names
 */
export function chooseSandboxOfPage({ originalUrl: url, headers }: FastifyRequest, worlds: Worlds): World {
  return sandboxNamed(namesOfPage({ url, headers }), worlds).world
}

function sandboxNamed(named: readonly Named[], worlds: Worlds): Chosen {
  const [first] = named
  if (first === undefined) return { world: worlds.root, by: null }
  const bad = named.find(({ name }) => !SANDBOX_NAME.test(name))
  if (bad !== undefined) throw badName(bad)
  const other = named.find(({ name }) => name !== first.name)
  if (other !== undefined) throw conflict(first, other)
  return { world: worlds.sandbox(first.name) as World, by: first.by }
}

function badName({ name, by }: Named): Problem {
  const { label, where } = places[by]
  return badSandboxName(name, by === 'url' ? undefined : label).at(where, ALLOWED_NAMES)
}

function conflict(first: Named, other: Named): Problem {
  const [one, two] = [first, other].map(({ name, by }) => `'${name}' (${places[by].label})`)
  const detail = `The request names two sandboxes, ${one} and ${two}. Name one, in one place or alike in all.`
  return new Problem('sandbox-conflict', detail).at(places[other.by].where, 'Name one sandbox.')
}

function unnamed(): Problem {
  const detail =
    'The request names no sandbox, and this server requires one (--require-sandbox). Use the base URL of a sandbox (/~NAME), the header X-Mock-Sandbox: NAME, the header baggage: mock-sandbox=NAME, or a token that ends in ~NAME.'
  return new Problem('sandbox-required', detail).at('request', 'Name a sandbox in one of these selectors.')
}
