import { requireSandboxName } from '../../server/handle-rules.js'
import { InvalidOption } from '../../server/invalid-option.js'
import { quote } from '../../text/wording.js'

/** The base URLs of a world and its server, from the URL of the world's admin API. */
export function partsOf(adminUrl: string): { readonly serverUrl: string; readonly url: string } {
  const [, serverUrl, sandbox = ''] = /^(https?:\/\/[^?#]+?)(\/~[^/?#]+)?\/__admin\/?$/.exec(adminUrl) ?? []
  if (serverUrl === undefined || !URL.canParse(serverUrl))
    throw new InvalidOption(
      `${quote(adminUrl)} is not the URL of an admin API. Pass one such as http://127.0.0.1:4010/__admin, or the value of COUNTERSIGN_ADMIN_URL.`,
    )
  if (sandbox !== '') requireSandboxName(sandbox.slice(2))
  return { serverUrl, url: `${serverUrl}${sandbox}` }
}
