import type { FastifyRequest } from 'fastify'
import type { World } from '../world.js'

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Where the caller reached a world: by the Host header, unless that is no host. */
export function baseUrlOf({ headers: { host }, socket }: FastifyRequest, { prefix }: World): string {
  return `http://${host !== undefined && HOST.test(host) ? host : `127.0.0.1:${socket.localPort ?? 80}`}${prefix}`
}
