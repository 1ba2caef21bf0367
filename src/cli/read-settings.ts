import type { Options } from '../../schemas/config.js'
import { type ConfigFile, readConfig, readUsableConfig } from '../server/config-file.js'
import { readEnvironment } from '../server/options.js'
import { loadSettings } from '../server/settings.js'
import type { Settings } from '../world/settings.js'
import type { Io } from './command.js'

/** The settings that command line, environment and config file add up to. */
export async function readSettings(flags: Partial<Options>, io: Io): Promise<Settings> {
  return loadSettings(...(await readGiven(flags, io)))
}

/** What settings are made of. */
type Given = readonly [flags: Partial<Options>, environment: Partial<Options>, config: ConfigFile, folder: string]

/**
 * Reads what command line, environment and config file say.
 * @throws {InvalidFiles} for a config file that cannot be used
 */
export async function readGiven(flags: Partial<Options>, { environment, folder }: Io): Promise<Given> {
  const fromEnvironment = readEnvironment(environment)
  return [flags, fromEnvironment, await readConfig(flags.config ?? fromEnvironment.config, folder), folder]
}

/** As `readGiven`, with what can be used of a config file that cannot be used as a whole. */
export async function readUsable(flags: Partial<Options>, { environment, folder }: Io): Promise<Given> {
  const fromEnvironment = readEnvironment(environment)
  return [flags, fromEnvironment, await readUsableConfig(flags.config ?? fromEnvironment.config, folder), folder]
}
