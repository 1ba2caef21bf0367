import { didYouMean, quote } from '../../engine/contract/wording.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import { packageVersion } from '../../package-root.js'
import { type AdminApi, AdminClient, notAdminApi } from './admin-api.js'
import { apiOf, requireSandboxName, serverHandle } from './handle.js'
import type { ApiServer, HandlePart, HandleTypes } from './mock-server.js'

/** Options for `connect`. */
export interface ConnectOptions {
  /**
   * The token that the server was started with (`--admin-token`), if any.
   * @default process.env.COUNTERSIGN_ADMIN_TOKEN
   */
  readonly adminToken?: string
}

/** @throws {InvalidOption} for an unusable URL, token or server @throws {Error} if no server answers */
export async function connectTo<T extends HandleTypes>(
  part: HandlePart<T>,
  adminUrl: string | URL,
  options: ConnectOptions = {},
): Promise<ApiServer<T>> {
  const client = clientWith(tokenOf(options))
  const { serverUrl, sandbox } = parseAdminUrl(String(adminUrl))
  const publicUrl = await checkServer(apiOf({ client, serverUrl }, sandbox))
  const close = async () => client.close('This connection was closed by close().')
  return serverHandle({ client, serverUrl, publicUrl, part }, close, sandbox)
}

export function clientWith(adminToken: string | undefined): AdminClient {
  return new AdminClient(adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` })
}

export function parseAdminUrl(adminUrl: string): { readonly serverUrl: string; readonly sandbox: string | null } {
  const [, serverUrl, sandbox] = /^(https?:\/\/[^?#]+?)(?:\/~([^/?#]+))?\/__admin\/?$/.exec(adminUrl) ?? []
  if (serverUrl === undefined || !URL.canParse(serverUrl))
    throw new InvalidOption(
      `${quote(adminUrl)} is not the URL of an admin API. Pass a URL such as http://127.0.0.1:4010/__admin, or the value of COUNTERSIGN_ADMIN_URL.`,
    )
  return { serverUrl, sandbox: sandbox === undefined ? null : requireSandboxName(sandbox) }
}

/** Never quotes the token. @throws {InvalidOption} for an unusable token or unknown option */
function tokenOf(options: ConnectOptions): string | undefined {
  const [unknown] = Object.keys(options).filter((name) => name !== 'adminToken')
  if (unknown !== undefined)
    throw new InvalidOption(`connect takes no option ${quote(unknown)}.${didYouMean(unknown, ['adminToken'])}`)
  const { adminToken = process.env.COUNTERSIGN_ADMIN_TOKEN } = options
  if (adminToken === undefined || adminToken === '') return undefined
  if (/^[\u0021-\u007e]+$/.test(adminToken)) return adminToken
  throw new InvalidOption('adminToken must be the token alone: printable ASCII without white space.')
}

/** Resolves with the server's public URL. @throws {InvalidOption} for another service or version */
async function checkServer(api: AdminApi): Promise<string | undefined> {
  const health = await api.get<Readonly<Record<string, unknown>>>('/health')
  if (health.status !== 'ok') throw notAdminApi(api.url)
  // Without access, /health has only its status; any other call fails with the reason.
  if (!('sandbox' in health)) await api.get('/clock')
  const { version: serverVersion, publicUrl } = health
  if (typeof serverVersion !== 'string') throw notAdminApi(api.url)
  const version = packageVersion()
  if (compatibilityOf(serverVersion) !== compatibilityOf(version))
    throw new InvalidOption(
      `The server at ${api.url} is countersign ${serverVersion}, but this package is ${version}. Install the same version on both sides.`,
    )
  return publicUrl as string | undefined
}

/** Before 1.0, minor versions may be incompatible. */
function compatibilityOf(version: string): string {
  const [major = '', minor = ''] = version.split('.')
  return major === '0' ? `${major}.${minor}` : major
}
