import { resolve } from 'node:path'
import { type Contract, successStatusOf } from '../../schemas/contract.js'
import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { readDataFile } from '../provider/data-file.js'
import { isRead, probesOf } from '../provider/probes.js'
import { counts, resultsAsJunit, table } from '../provider/report.js'
import type { Target } from '../provider/send.js'
import { verifyProvider } from '../provider/verify.js'
import { InvalidOption } from '../server/invalid-option.js'
import { flagOf } from '../server/options.js'
import { didYouMean, quote } from '../text/wording.js'
import type { Command, Io } from './command.js'
import { type OwnFlags, readCommandLine } from './command-line.js'
import { readSettings } from './read-settings.js'
import { writeNamedFile } from './write-file.js'

const flags = { target: true, token: true, only: true, 'allow-writes': false, junit: true, data: true } as const

const TIMEOUT = 10_000
const USAGE = 'Usage: countersign verify --target https://host/base --token TOKEN'

/** Verifies a provider with the contracts; 0 when all that the document says is so. */
export const verify: Command = async (argv, io) => {
  const { options, words, own } = readCommandLine(argv, flags)
  const { strict = false, ...files } = options
  const unused = Object.keys(files).find((name) => name !== 'config' && name !== 'interpretations')
  if (unused !== undefined) throw new InvalidOption(`--${flagOf(unused)} is for servers, and not for verify. ${USAGE}`)
  // Not quoted: it may be half of a token.
  if (words.length > 0) throw new InvalidOption(`verify takes only flags. ${USAGE}`)
  const target: Target = { url: targetOf(own.target), token: tokenOf(own.token, io), timeout: TIMEOUT }
  const { readings } = await readSettings(files, io)
  const contracts = contractsUnder(documented, readings)
  const chosen = chosenOf(own.only, contracts)
  const allowWrites = own['allow-writes'] === true
  const values = typeof own.data === 'string' ? await readDataFile(resolve(io.folder, own.data), contracts) : {}
  const probes = chosen.flatMap((contract) => probesOf(contract, values[contract.id], allowWrites))
  const results = await verifyProvider(probes, target)
  io.out(table(results, strict))
  const withheld = allowWrites ? [] : chosen.filter((contract) => !isRead(contract))
  if (results.length < probes.length) io.out(`${probes.length - results.length} more were not sent.`)
  else if (withheld.length > 0)
    io.out(
      `Not sent, since they write: ${withheld.map((contract) => `${contract.id} ${successStatusOf(contract)}`).join(', ')}. --allow-writes sends them.`,
    )
  if (typeof own.junit === 'string') await writeNamedFile(io, own.junit, resultsAsJunit(results, strict))
  return results.some((one) => counts(one, strict)) ? 1 : 0
}

function targetOf(given: OwnFlags[string] | undefined): string {
  if (typeof given !== 'string') throw new InvalidOption(`--target is missing. ${USAGE}`)
  const url = URL.canParse(given) ? new URL(given) : undefined
  // Not quoted: it may hold a password.
  if (url !== undefined && (url.username !== '' || url.password !== ''))
    throw new InvalidOption('--target must not carry a user name or password: the user token goes into --token.')
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new InvalidOption(
      `--target must be a base address such as https://host/base, without a query, not ${quote(given)}.`,
    )
  return url.href.replace(/\/+$/, '')
}

/** Never quoted: a malformed token may be half of a real one. */
function tokenOf(given: OwnFlags[string] | undefined, { environment }: Io): string {
  const token = typeof given === 'string' ? given : (environment.COUNTERSIGN_TOKEN ?? '')
  if (token === '') throw new InvalidOption("Give a user's token with --token, or in COUNTERSIGN_TOKEN.")
  if (!/^[\u0021-\u007e]+$/.test(token))
    throw new InvalidOption("--token must be the token alone, without 'Bearer', white space or letters beyond ASCII.")
  return token
}

function chosenOf(only: OwnFlags[string] | undefined, contracts: readonly Contract[]): readonly Contract[] {
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
