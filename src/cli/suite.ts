import type { Contract } from '../../schemas/contract.js'
import type { Server } from '../server/create-server.js'
import { InvalidOption } from '../server/invalid-option.js'
import { quote } from '../text/wording.js'
import type { Settings } from '../world/settings.js'
import { type Io, WrongUse } from './command.js'
import type { Words } from './run-child.js'

export const IN_GITHUB_ACTIONS =
  'In GitHub Actions, failures also appear as annotations, and the step summary is written even without --summary.'

/**
 * The words of the command that is run, such as a test suite.
 * @throws {WrongUse} where there is none, or it does not stand after `--`
 */
export function requireSuite(name: string, words: readonly string[], [command, ...args]: readonly string[]): Words {
  if (words.length === 0 && command !== undefined) return [command, ...args]
  const strange = words[0] === undefined ? '' : ` ${quote(words[0])} is not expected before --.`
  throw new WrongUse(`Put the command to run after --: countersign ${name} [options] -- npm test.${strange}`)
}

/** The environment of a command that calls a server. */
export function suiteEnvironment(url: string, { worlds: { root } }: Server, { environment }: Io): NodeJS.ProcessEnv {
  const { adminToken } = root.settings
  return {
    ...environment,
    COUNTERSIGN_URL: url,
    COUNTERSIGN_TOKEN: root.firstUser?.token ?? '',
    COUNTERSIGN_ADMIN_URL: `${url}/__admin`,
    ...(adminToken !== undefined && { COUNTERSIGN_ADMIN_TOKEN: adminToken }),
  }
}

/**
 * The settings with the mutant that the environment names, for a debugger.
 * @throws {InvalidOption} where there is no such mutant
 */
export async function withMutant(
  settings: Settings,
  contracts: readonly Contract[],
  { environment: { COUNTERSIGN_MUTANT: mutant } }: Io,
): Promise<Settings> {
  if (mutant === undefined || mutant === '') return settings
  const { mutantNamed } = await import('../coverage/mutants/mutants.js')
  if (mutantNamed(mutant, contracts) !== undefined) return { ...settings, mutant }
  throw new InvalidOption(
    `COUNTERSIGN_MUTANT names no mutant: ${quote(mutant)}. 'countersign list mutants' shows them all.`,
  )
}
