import type { FastifyRequest } from 'fastify'
import type { World } from '../world/world.js'
import { forwardedBy } from './forwarded.js'

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

type Asked = Pick<FastifyRequest, 'headers' | 'raw'>

/**
 * Where the caller reached the server, without a slash at its end: as the option says, else as a proxy tells, else by
 * the Host header, unless that is no host.
 */
export function serverUrlOf({ headers, raw }: Asked, { settings: { publicUrl } }: World): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const { host } = headers
  const { proto = 'http', host: forwarded, prefix = '' } = forwardedBy(headers)
  const known = [forwarded, host].find((one) => one !== undefined && isHost(one)) ?? ownHost(raw)
  return `${proto}://${known}${prefix}`
}

function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}`)
}

/** Requests in process have no real socket. */
function ownHost({ socket: { localPort } }: FastifyRequest['raw']): string {
  return localPort === undefined ? '127.0.0.1' : `127.0.0.1:${localPort}`
}

/** Where the caller reached a world. */
export function baseUrlOf(request: Asked, world: World): string {
  return `${serverUrlOf(request, world)}${world.prefix}`
}
