import { version } from '../../package-root.js'
import { requireSandboxName } from '../../server/handle-rules.js'
import { InvalidOption } from '../../server/invalid-option.js'
import type { ConnectedServer } from '../../server/world-handle.js'
import { didYouMean, quote } from '../../text/wording.js'
import { partsOf } from './admin-address.js'
import { AdminApi, notOurs } from './admin-api.js'
import { connectedWorld, type Known } from './connected-world.js'
import { asOption } from './refused-as.js'

/** Options for `connect`. */
export interface ConnectOptions {
  /**
   * The token that the server was started with (`--admin-token`), if any.
   * @default process.env.COUNTERSIGN_ADMIN_TOKEN
   */
  readonly adminToken?: string
}

/**
 * Connects to a server that is already running. The handle has the same methods as the one in process, but all of them
 * are asynchronous. The admin URL of a sandbox, `…/~NAME/__admin`, gives a handle to that sandbox.
 *
 * @example
 * const mock = await connect(process.env.COUNTERSIGN_ADMIN_URL ?? 'http://127.0.0.1:4010/__admin')
 * const world = await mock.sandbox('worker-3')
 * await world.scenarios.activate('addOrganizationMember:409')
 *
 * @throws {InvalidOption} if the URL or the token is invalid, or the server has an incompatible version
 * @throws {Error} if no server answers
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

/** @throws {InvalidOption} if a header cannot contain the token (which is not quoted), or for an unknown option */
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

/** How long to wait for the server's first answer, in milliseconds. */
const PATIENCE = 10_000

/** What a server says about itself. */
interface Health {
  readonly version: string
  readonly publicUrl?: string
}

/**
 * Checks that the server is countersign, and in which version.
 * @throws {InvalidOption} if it is another service, refuses the call, or has an incompatible version
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
      `The server at ${api.url} is countersign ${theirs}, but this package is ${ours}. Install the same version on both sides.`,
    )
  return { ...health, version: theirs }
}

/** The part of a version that changes with a breaking change: before 1.0, this includes the second number. */
function compatible(version: string): string {
  const [major = '', minor = ''] = version.split('.')
  return major === '0' ? `${major}.${minor}` : major
}
