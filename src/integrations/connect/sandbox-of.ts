import type { ConnectedWorld } from '../../server/world-handle.js'
import { partsOf } from './admin-address.js'
import { AdminApi } from './admin-api.js'
import { connectedWorld } from './connected-world.js'

/** A server that is already connected. */
export interface Reached {
  readonly adminUrl: string
  readonly adminToken: string | undefined
  readonly token: string
}

/** The handle to a sandbox of a server that is known to answer. */
export function sandboxOf({ adminUrl, adminToken, token }: Reached, name: string): ConnectedWorld {
  const { serverUrl } = partsOf(adminUrl)
  const url = `${serverUrl}/~${name}`
  return connectedWorld(new AdminApi(`${url}/__admin`, adminToken), { url, serverUrl, token, listening: new Set() })
}
