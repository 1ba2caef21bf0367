import type { FastifyRequest } from 'fastify'
import { unescaped } from '../text/unescaped.js'
import type { World } from '../world/world.js'
import type { Worlds } from '../world/worlds.js'
import { Problem } from './problems.js'

/**
 * The world that the base URL chooses.
 * @throws {Problem} for what is not a sandbox name
 */
export function worldOf(request: FastifyRequest, worlds: Worlds): World {
  const params = request.params as { sandbox?: string }
  const { sandbox } = params
  if (sandbox === undefined) return worlds.root
  delete params.sandbox
  const world = worlds.sandbox(sandbox)
  if (world !== undefined) return world
  throw badSandboxName(sandbox)
}

/** The world that a URL names, where it exists; else the root. No sandbox is made. */
export function knownWorldOf({ raw }: FastifyRequest, worlds: Worlds): World {
  const name = sandboxNamed(raw.url ?? '')
  return (worlds.has(name) && worlds.sandbox(name)) || worlds.root
}

/** The name that a URL has in the place of a sandbox's; empty where there is none. */
export function sandboxNamed(url: string): string {
  return unescaped(/^\/~([^/?]*)/.exec(url)?.[1] ?? '', '')
}

/** The path of a URL below its world. */
export function pathInWorld(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/^\/~[^/]*/, '')
}

export function badSandboxName(name: string): Problem {
  return new Problem(
    'bad-sandbox-name',
    `'${name}' is not a valid sandbox name. Use 1 to 64 letters, digits, dots, hyphens and underscores, as in /~worker-3.`,
  )
}
