import type { Options } from '../../schemas/config.js'
import { readConfig } from '../server/config-file.js'
import { readEnvironment } from '../server/options.js'
import { type Given, loadSettings } from '../server/settings.js'
import type { Settings } from '../world/settings.js'
import type { Io } from './command.js'

/** The settings that command line, environment and config file add up to. */
export async function readSettings(flags: Partial<Options>, io: Io): Promise<Settings> {
  return loadSettings(...(await readGiven(flags, io)))
}

/**
 * Reads what command line, environment and config file say; `read` reads the file, as a whole unless told otherwise.
 * @throws {InvalidFiles} for a config file that cannot be used
 */
export async function readGiven(
  flags: Partial<Options>,
  { environment, folder }: Io,
  read: typeof readConfig = readConfig,
): Promise<Given> {
  const fromEnvironment = readEnvironment(environment)
  return [flags, fromEnvironment, await read(flags.config ?? fromEnvironment.config, folder), folder]
}
