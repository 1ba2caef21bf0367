import { version } from '../../package-root.js'
import { requireSandboxName } from '../../server/handle-rules.js'
import { InvalidOption } from '../../server/invalid-option.js'
import type { ConnectedServer } from '../../server/world-handle.js'
import { quote } from '../../text/wording.js'
import { AdminApi } from './admin-api.js'
import { connectedWorld, type Known } from './connected-world.js'

/** What `connect` needs beside the address. */
export interface ConnectOptions {
  /**
   * The token of the server's `--admin-token`, where it has one.
   * @default process.env.COUNTERSIGN_ADMIN_TOKEN
   */
  readonly adminToken?: string
}

/**
 * The handle of a server elsewhere: the methods of the one in process, each of them asynchronous. The address of a
 * sandbox's admin API, `…/~NAME/__admin`, gives the handle of that sandbox.
 *
 * @example
 * const mock = await connect(process.env.COUNTERSIGN_ADMIN_URL ?? 'http://127.0.0.1:4010/__admin')
 * const world = await mock.sandbox('worker-3')
 * await world.scenarios.activate('addOrganizationMember:409')
 *
 * @throws {InvalidOption} for an address or a token that does not fit, and for a server of another version
 * @throws {Error} where no server answers
 */
export async function connect(adminUrl: string | URL, options: ConnectOptions = {}): Promise<ConnectedServer> {
  const { adminToken = process.env.COUNTERSIGN_ADMIN_TOKEN } = options
  const { serverUrl, url } = partsOf(String(adminUrl))
  const api = new AdminApi(`${url}/__admin`, adminToken || undefined)
  await requireVersion(api)
  const listening = new Set<() => void>()
  const sandbox = async (name: string) => {
    const itsUrl = `${serverUrl}/~${requireSandboxName(name)}`
    return worldAt(new AdminApi(`${itsUrl}/__admin`, adminToken || undefined), { url: itsUrl, serverUrl, listening })
  }
  const close = async () => {
    for (const end of listening) end()
    listening.clear()
  }
  const world = await worldAt(api, { url, serverUrl, listening })
  return { ...world, adminUrl: api.url, sandbox, close, [Symbol.asyncDispose]: close }
}

async function worldAt(api: AdminApi, known: Omit<Known, 'token'>) {
  const { users = [] } = await api.get<{ users?: { token: string }[] }>('/state', { collection: 'users' })
  return connectedWorld(api, { ...known, token: users[0]?.token ?? '' })
}

/** The base URLs of a world and its server, from the address of the world's admin API. */
function partsOf(adminUrl: string): { readonly serverUrl: string; readonly url: string } {
  const [, serverUrl, sandbox = ''] = /^(https?:\/\/[^?#]+?)(\/~[^/?#]+)?\/__admin\/?$/.exec(adminUrl) ?? []
  if (serverUrl === undefined || !URL.canParse(serverUrl))
    throw new InvalidOption(
      `${quote(adminUrl)} is not the address of an admin API: give one such as http://127.0.0.1:4010/__admin, or COUNTERSIGN_ADMIN_URL.`,
    )
  return { serverUrl, url: `${serverUrl}${sandbox}` }
}

/** @throws {InvalidOption} for a server that may behave otherwise than this package says */
async function requireVersion(api: AdminApi): Promise<void> {
  const { version: theirs } = await api.get<{ version?: string }>('/health')
  const ours = version()
  if (theirs === undefined) throw new InvalidOption(`${quote(api.url)} is not the admin API of a countersign server.`)
  if (compatible(theirs) !== compatible(ours))
    throw new InvalidOption(
      `The server at ${api.url} is countersign ${theirs}, and this package is ${ours}: install the same version at both ends.`,
    )
}

/** The part of a version that changes where something breaks: before 1.0, the second number as well. */
function compatible(version: string): string {
  const [major = '', minor = ''] = version.split('.')
  return major === '0' ? `${major}.${minor}` : major
}
