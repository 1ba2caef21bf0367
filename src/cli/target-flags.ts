import type { Contract } from '../../schemas/contract.js'
import type { DataFile } from '../provider/calls.js'
import type { Target } from '../provider/client.js'
import { readDataFile } from '../provider/data-file.js'
import { InvalidOption } from '../server/invalid-option.js'
import { flagOf } from '../server/options.js'
import { didYouMean, quote, withoutCredentials } from '../text/wording.js'
import type { Io } from './command.js'
import type { CommandLine, OwnFlags } from './command-line.js'
import { LIMITS } from './flags/target.js'
import { namedFile } from './named-files.js'

/**
 * Reads whom a command looks at.
 * @throws {InvalidOption} if a flag is invalid
 */
export function readTarget({ own, lists }: Pick<CommandLine, 'own' | 'lists'>, io: Io, usage: string): Target {
  const second = own['token-without-permission']
  return {
    url: targetOf(own.target, usage),
    token: tokenOf(own.token, io),
    ...(typeof second === 'string' && { tokenWithoutPermission: plainToken('--token-without-permission', second) }),
    headers: (lists.header ?? []).map(headerOf),
    timeout: whole(own, 'timeout', 'milliseconds'),
    retries: whole(own, 'retries', 'retries'),
  }
}

/** Seconds to wait for the provider to come up. */
export function readWait(own: OwnFlags): number {
  return whole(own, 'wait-until-up', 'seconds')
}

export async function readData(own: OwnFlags, io: Io, contracts: readonly Contract[]): Promise<DataFile> {
  return typeof own.data === 'string' ? readDataFile(namedFile(io, own.data), contracts) : {}
}

/** @throws {InvalidOption} for options that are for servers */
export function refuseServerOptions({ options, words }: CommandLine, command: string, usage: string): void {
  const { strict: _, config: __, ...others } = options
  const [unused] = Object.keys(others)
  if (unused !== undefined)
    throw new InvalidOption(`${command} does not take --${flagOf(unused)}, which is for servers. ${usage}`)
  // Not quoted: it may be half of a token.
  if (words.length > 0) throw new InvalidOption(`${command} takes flags only. ${usage}`)
}

function targetOf(given: OwnFlags[string] | undefined, usage: string): string {
  if (typeof given !== 'string') throw new InvalidOption(`--target is missing. ${usage}`)
  const url = URL.canParse(given) ? new URL(given) : undefined
  // Not quoted: it may hold a password.
  if (url !== undefined && (url.username !== '' || url.password !== ''))
    throw new InvalidOption('--target must not contain a user name or password. Pass the user token with --token.')
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new InvalidOption(
      `--target must be a base URL such as https://host/base, without a query, not ${quote(withoutCredentials(given))}.`,
    )
  return url.href.replace(/\/+$/, '')
}

function tokenOf(given: OwnFlags[string] | undefined, { environment }: Io): string {
  const token = typeof given === 'string' ? given : (environment.COUNTERSIGN_TOKEN ?? '')
  if (token === '') throw new InvalidOption("Pass a user's token with --token, or in COUNTERSIGN_TOKEN.")
  return plainToken('--token', token)
}

/** Never quoted: a malformed token may be half of a real one. */
function plainToken(flag: string, token: string): string {
  if (/^[\u0021-\u007e]+$/.test(token)) return token
  throw new InvalidOption(`${flag} must be the token alone, without 'Bearer', white space or non-ASCII characters.`)
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
function headerOf(given: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/s.exec(given) ?? []
  if (name === '' || !/^[\t\u0020-\u007e]*$/.test(value))
    throw new InvalidOption("--header must be 'Name: value', in ASCII.")
  if (OWN_HEADERS.includes(name.toLowerCase()))
    throw new InvalidOption(
      `--header must not set ${quote(name)}: the calls set it themselves. Pass the token with --token.`,
    )
  return [name, value]
}

function whole(own: OwnFlags, flag: keyof typeof LIMITS, unit: string): number {
  const { least, most, default: otherwise } = LIMITS[flag]
  const given = own[flag]
  if (given === undefined) return otherwise
  if (typeof given === 'string' && /^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= most)
    return Number(given)
  throw new InvalidOption(`--${flag} must be a whole number of ${unit} from ${least} to ${most}, not ${quote(given)}.`)
}

/** @throws {InvalidOption} if a name is not an operation */
export function chosenOf({ only }: OwnFlags, contracts: readonly Contract[]): readonly Contract[] {
  if (typeof only !== 'string') return contracts
  const ids = contracts.map(({ id }) => id)
  const named = only.split(',').map((one) => one.trim())
  for (const name of named) {
    if (!ids.includes(name))
      throw new InvalidOption(
        `--only does not take ${quote(name)}.${didYouMean(name, ids)} Allowed: ${ids.join(', ')}.`,
      )
  }
  return contracts.filter(({ id }) => named.includes(id))
}
