import type { IncomingHttpHeaders } from 'node:http'
import type { World } from '../world/world.js'
import { forwardedBy } from './forwarded.js'

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Of a request, what tells where it was sent. */
export interface Asked {
  readonly headers: IncomingHttpHeaders
  /** Requests in process have no real socket. */
  readonly raw: { readonly socket: { readonly localPort?: number; readonly encrypted?: boolean } }
}

/**
 * Where the caller reached the server, without a slash at its end: as the option says, else as a proxy tells, else by
 * the Host header, unless that is no host.
 */
export function serverUrlOf({ headers, raw }: Asked, { settings: { publicUrl } }: World): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const { host } = headers
  const own = raw.socket.encrypted === true ? 'https' : 'http'
  const { proto = own, host: forwarded, prefix = '' } = forwardedBy(headers)
  const known = [forwarded, host].find((one) => one !== undefined && isHost(one)) ?? ownHost(raw)
  return `${proto}://${known}${prefix}`
}

function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}`)
}

function ownHost({ socket: { localPort } }: Asked['raw']): string {
  return localPort === undefined ? '127.0.0.1' : `127.0.0.1:${localPort}`
}

/** Where the caller reached a world. */
export function baseUrlOf(request: Asked, world: World): string {
  return `${serverUrlOf(request, world)}${world.prefix}`
}
