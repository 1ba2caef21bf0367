import { version } from '../../package-root.js'
import { requireSandboxName } from '../../server/handle-rules.js'
import { InvalidOption } from '../../server/invalid-option.js'
import type { ConnectedServer } from '../../server/world-handle.js'
import { didYouMean, quote } from '../../text/wording.js'
import { partsOf } from './admin-address.js'
import { AdminApi, notOurs } from './admin-api.js'
import { connectedWorld, type Known } from './connected-world.js'
import { asOption } from './refused-as.js'

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
  const adminToken = tokenOf(options)
  const { serverUrl, url } = partsOf(String(adminUrl))
  const api = new AdminApi(`${url}/__admin`, adminToken)
  const { publicUrl } = await greet(api)
  const known = { serverUrl, publicUrl, listening: new Set<() => void>() }
  const sandbox = async (name: string) => {
    const itsUrl = `${serverUrl}/~${requireSandboxName(name)}`
    return worldAt(new AdminApi(`${itsUrl}/__admin`, adminToken), { ...known, url: itsUrl })
  }
  const close = async () => {
    for (const end of known.listening) end()
    known.listening.clear()
  }
  const world = await worldAt(api, { ...known, url })
  return { ...world, adminUrl: api.url, sandbox, close, [Symbol.asyncDispose]: close }
}

/** @throws {InvalidOption} for a token that no header can carry, which is not quoted, and for another option */
function tokenOf(options: ConnectOptions): string | undefined {
  const [unknown] = Object.keys(options).filter((name) => name !== 'adminToken')
  if (unknown !== undefined)
    throw new InvalidOption(`connect takes no option ${quote(unknown)}.${didYouMean(unknown, ['adminToken'])}`)
  const { adminToken = process.env.COUNTERSIGN_ADMIN_TOKEN } = options
  if (adminToken === undefined || adminToken === '') return undefined
  if (/^[\u0021-\u007e]+$/.test(adminToken)) return adminToken
  throw new InvalidOption('adminToken must be the token alone: printable ASCII without white space.')
}

async function worldAt(api: AdminApi, known: Omit<Known, 'token'>) {
  const { users = [] } = await api.get<{ users?: { token: string }[] }>('/state', { collection: 'users' })
  return connectedWorld(api, { ...known, token: users[0]?.token ?? '' })
}

/** Milliseconds that a server is waited for at first. */
const PATIENCE = 10_000

/** What a server says of itself to those whom it answers. */
interface Health {
  readonly version: string
  readonly publicUrl?: string
}

/**
 * Asks a server whether it is one, and of which version.
 * @throws {InvalidOption} for another service, one that refuses us, and one that may behave otherwise than this package says
 */
async function greet(api: AdminApi): Promise<Health> {
  const health = await api.get<Partial<Health> & { status?: unknown; sandbox?: unknown }>(
    '/health',
    {},
    AbortSignal.timeout(PATIENCE),
  )
  if (health.status !== 'ok') throw notOurs(api.url)
  // To others it tells no more than that it is ready; a call says why.
  if (!('sandbox' in health)) await asOption(() => api.get('/clock'))
  const { version: theirs } = health
  if (typeof theirs !== 'string') throw notOurs(api.url)
  const ours = version()
  if (compatible(theirs) !== compatible(ours))
    throw new InvalidOption(
      `The server at ${api.url} is countersign ${theirs}, and this package is ${ours}: install the same version at both ends.`,
    )
  return { ...health, version: theirs }
}

/** The part of a version that changes where something breaks: before 1.0, the second number as well. */
function compatible(version: string): string {
  const [major = '', minor = ''] = version.split('.')
  return major === '0' ? `${major}.${minor}` : major
}
