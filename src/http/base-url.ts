import type { FastifyRequest } from 'fastify'
import type { World } from '../world/world.js'

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Where the caller reached a world: by the Host header, unless that is no host. */
export function baseUrlOf({ headers: { host } }: Pick<FastifyRequest, 'headers'>, { prefix }: World): string {
  return `http://${typeof host === 'string' && HOST.test(host) ? host : '127.0.0.1'}${prefix}`
}
