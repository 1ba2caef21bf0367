import type { FastifyRequest } from 'fastify'
import { unescaped } from '../text/unescaped.js'
import { quote } from '../text/wording.js'
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
export function sandboxIn(url: string): string | undefined {
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
export function badSandboxName(name: string, place?: string): Problem {
  const what = place === undefined ? quote(name) : `${quote(name)}, in ${place},`
  return new Problem('bad-sandbox-name', `${what} is not a valid sandbox name. ${ALLOWED_NAMES}`)
}

export const ALLOWED_NAMES = 'Use 1 to 64 letters, digits, dots, hyphens and underscores, as in /~worker-3.'
