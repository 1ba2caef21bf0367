import { Option } from 'commander'
import { contracts } from '../../schemas/contracts.js'
import type { Target } from '../provider/sender.js'
import { quote, withoutCredentials } from '../text/wording.js'
import { type Io, WrongUse } from './command.js'
import { flag, someOf, wholeNumber } from './flags.js'

/** Which provider to call, as which user, and how. */
export interface TargetFlags {
  readonly target?: string
  readonly token?: string
  readonly tokenWithoutPermission?: string
  readonly allowWrites?: true
  readonly data?: string
  readonly only?: readonly string[]
  readonly header?: readonly Header[]
  readonly timeout: number
  readonly retries: number
  readonly waitUntilUp: number
}

type Header = readonly [name: string, value: string]

export const targetFlags: readonly Option[] = [
  flag('--target <URL>', 'Base URL of the provider, such as https://host/base, without a query.', targetIn),
  flag('--token <TOKEN>', "A user's token, without 'Bearer' (default: COUNTERSIGN_TOKEN).", plainToken),
  flag(
    '--token-without-permission <TOKEN>',
    'Token of a user who may not manage members, to check the 403.',
    plainToken,
  ),
  new Option('--allow-writes', 'Also make calls that change something at the provider.'),
  flag('--data <FILE>', 'YAML or JSON file with values that exist at the provider.'),
  flag(
    '--only <OPERATIONS>',
    'Check only these operations, comma-separated: verifyDocument,…',
    someOf(contracts.map(({ id }) => id)),
  ),
  flag<Header[]>("--header <'NAME: VALUE'>", 'Header to send with each call. Repeatable.', (text, _, before = []) => [
    ...before,
    headerIn(text),
  ]),
  flag(
    '--timeout <MS>',
    'Milliseconds to wait for an answer: 1 to 600000.',
    wholeNumber(1, 600_000, 'milliseconds'),
  ).default(10_000),
  flag('--retries <N>', 'How often to retry an unavailable provider: 0 to 20.', wholeNumber(0, 20, 'retries')).default(
    2,
  ),
  flag(
    '--wait-until-up <SECONDS>',
    'Seconds to wait for the provider to come up: 0 to 3600.',
    wholeNumber(0, 3_600, 'seconds'),
  ).default(0),
]

/**
 * Reads which provider to call.
 * @throws {WrongUse} if the target or the token is missing
 */
export function readTarget(flags: TargetFlags, { environment }: Io, usage: string): Target {
  const { target: url, tokenWithoutPermission, header: headers = [], timeout, retries } = flags
  if (url === undefined) throw new WrongUse(`--target is missing. ${usage}`)
  const token = flags.token ?? environment.COUNTERSIGN_TOKEN ?? ''
  if (token === '') throw new WrongUse("Pass a user's token with --token, or in COUNTERSIGN_TOKEN.")
  plainToken(token, '--token')
  return {
    url,
    token,
    ...(tokenWithoutPermission !== undefined && { tokenWithoutPermission }),
    headers,
    timeout,
    retries,
  }
}

function targetIn(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Not quoted: it may hold a password.
  if (url !== undefined && (url.username !== '' || url.password !== ''))
    throw new WrongUse('--target must not contain a user name or password. Pass the user token with --token.')
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new WrongUse(
      `--target must be a base URL such as https://host/base, without a query, not ${quote(withoutCredentials(text))}.`,
    )
  return url.href.replace(/\/+$/, '')
}

/** Never quoted: a malformed token may be half of a real one. */
function plainToken(token: string, source: string): string {
  if (/^[\u0021-\u007e]+$/.test(token)) return token
  throw new WrongUse(`${source} must be the token alone, without 'Bearer', white space or non-ASCII characters.`)
}

/** Headers that the calls set themselves, or that the connection needs. */
const OWN_HEADERS = [
  'authorization',
  'user-token',
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'host',
]

/** Values are never quoted: they may be secrets. */
function headerIn(text: string): Header {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/s.exec(text) ?? []
  if (name === '' || !/^[\t\u0020-\u007e]*$/.test(value))
    throw new WrongUse("--header must be 'Name: value', in ASCII.")
  if (OWN_HEADERS.includes(name.toLowerCase()))
    throw new WrongUse(
      `--header must not set ${quote(name)}: the calls set it themselves. Pass the token with --token.`,
    )
  return [name, value]
}
