import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { quote } from '../contract/wording.js'
import type { SandboxSelector } from '../journal/exchange.js'
import { safeDecodeURIComponent } from '../judge/decode.js'
import { bearerToken, splitSandboxSuffix } from '../judge/token.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { SANDBOX_NAME } from '../sandbox/sandbox-name.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { Problem } from './problems.js'

/** An absolute URL's host (as sent to proxies), and the name of a sandbox. */
const PREFIX = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?(?:\/(?:~|%7e)([^/?#]*))?/i

/** Empty if the name cannot be decoded; undefined without one. */
function sandboxIn(url: string): string | undefined {
  const [, name] = PREFIX.exec(url) ?? []
  return name === undefined ? undefined : safeDecodeURIComponent(name, '')
}

/**
 * The URL without its sandbox, for the router. In a URL that cannot be decoded, each `%` stands for itself: the API
 * refuses it (`bad-url`).
 */
export function rewriteUrl({ url = '/' }: IncomingMessage): string {
  const readable = isDecodable(url) ? url : url.replaceAll('%', '%25')
  if (sandboxIn(readable) === '') return readable
  const below = readable.replace(PREFIX, '')
  return /^[/*]/.test(below) ? below : `/${below}`
}

export function isDecodable(url: string): boolean {
  return !url.includes('%') || safeDecodeURIComponent(url, '') !== ''
}

export function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '')
}

interface Named {
  readonly name: string
  readonly by: SandboxSelector
}

const places: { readonly [By in SandboxSelector]: { readonly label: string; readonly where: string } } = {
  url: { label: 'the base URL', where: 'url' },
  header: { label: 'the header X-Mock-Sandbox', where: 'headers.x-mock-sandbox' },
  baggage: { label: 'the header baggage', where: 'headers.baggage' },
  token: { label: 'the ending of the token', where: 'headers.authorization' },
}

function inUrl(url: string): Named[] {
  const name = sandboxIn(url)
  return name === undefined ? [] : [{ name, by: 'url' }]
}

function inHeader(header: string | string[]): Named[] {
  // Node joins repeated headers with commas.
  const names = String(header).split(',')
  return names.map((name) => ({ name: name.trim(), by: 'header' }))
}

/** A member `mock-sandbox` of the header baggage (W3C Baggage), with its properties. */
export const SANDBOX_MEMBER = /(?:^|,)\s*mock-sandbox\s*(?:=([^,;]*))?(?:;[^,]*)?(?=,|$)/g

function inBaggage(baggage: string | string[]): Named[] {
  const members = String(baggage).matchAll(SANDBOX_MEMBER)
  return Array.from(members, ([, name = '']) => ({ name: safeDecodeURIComponent(name.trim()), by: 'baggage' }))
}

function inTokens(headers: IncomingHttpHeaders, tokenHeaders: readonly string[], root: Sandbox): Named[] {
  const { authorization, 'user-token': userToken } = headers
  const bearer = authorization && bearerToken(authorization)
  const names: Named[] = []
  for (const token of [bearer, tokenHeaders.includes('user-token') ? userToken : undefined]) {
    const ending = token && splitSandboxSuffix(String(token))
    if (!ending || root.userOf(String(token)) !== undefined) continue
    names.push({ name: ending.sandbox, by: 'token' })
  }
  return names
}

export interface ChosenSandbox {
  readonly sandbox: Sandbox
  /** Null for the root. */
  readonly sandboxBy: SandboxSelector | null
}

/**
 * The first of URL, header, baggage and token that names a sandbox.
 * @throws {Problem} for an invalid name, two names, or none where one is required
 */
export function chooseSandbox(
  { originalUrl, headers }: FastifyRequest,
  tokenHeaders: readonly string[],
  sandboxes: Sandboxes,
): ChosenSandbox {
  const { 'x-mock-sandbox': header, baggage } = headers
  const named = inUrl(originalUrl)
  if (header !== undefined) named.push(...inHeader(header))
  if (baggage !== undefined) named.push(...inBaggage(baggage))
  named.push(...inTokens(headers, tokenHeaders, sandboxes.root))
  if (named.length === 0 && sandboxes.shared.settings.requireSandbox) throw unnamed()
  return sandboxNamed(named, sandboxes)
}

/**
 * Pages send no token.
 * @throws {Problem} for an invalid name, and for two names
 */
export function chooseSandboxOfPage({ originalUrl, headers }: FastifyRequest, sandboxes: Sandboxes): Sandbox {
  const { 'x-mock-sandbox': header } = headers
  return sandboxNamed([...inUrl(originalUrl), ...(header === undefined ? [] : inHeader(header))], sandboxes).sandbox
}

/** @throws {Problem} for an invalid sandbox name in the URL */
export function sandboxInUrl({ originalUrl }: FastifyRequest, sandboxes: Sandboxes): Sandbox {
  return sandboxNamed(inUrl(originalUrl), sandboxes).sandbox
}

function sandboxNamed(named: readonly Named[], sandboxes: Sandboxes): ChosenSandbox {
  const [first] = named
  if (first === undefined) return { sandbox: sandboxes.root, sandboxBy: null }
  const bad = named.find(({ name }) => !SANDBOX_NAME.test(name))
  if (bad !== undefined) throw badName(bad)
  const other = named.find(({ name }) => name !== first.name)
  if (other !== undefined) throw conflict(first, other)
  return { sandbox: sandboxes.get(first.name), sandboxBy: first.by }
}

function badName({ name, by }: Named): Problem {
  const { label, where } = places[by]
  const named = by === 'url' ? quote(name) : `${quote(name)}, in ${label},`
  const detail = `${named} is not a valid sandbox name. Use 1 to 64 letters, digits, dots, hyphens and underscores, as in /~worker-3.`
  return new Problem('bad-sandbox-name', detail).at(where, 'Rename the sandbox, for example to worker-3.')
}

function conflict(first: Named, other: Named): Problem {
  const [one, two] = [first, other].map(({ name, by }) => `'${name}' (${places[by].label})`)
  const detail = `The request names two sandboxes, ${one} and ${two}. Name one sandbox, or the same one everywhere.`
  return new Problem('sandbox-conflict', detail).at(places[other.by].where, 'Name one sandbox.')
}

function unnamed(): Problem {
  const detail =
    'The request names no sandbox, and this server requires one (--require-sandbox). Use the base URL of a sandbox (/~NAME), the header X-Mock-Sandbox: NAME, the header baggage: mock-sandbox=NAME, or a token that ends in ~NAME.'
  return new Problem('sandbox-required', detail).at(
    'request',
    'Append /~NAME to the base URL, or send X-Mock-Sandbox: NAME.',
  )
}
