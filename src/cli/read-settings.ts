import type { Options } from '../../schemas/config.js'
import { readConfig } from '../server/config-file.js'
import { readEnvironment } from '../server/options.js'
import { loadSettings } from '../server/settings.js'
import type { Settings } from '../world/settings.js'
import type { Io } from './command.js'

/** The settings that command line, environment and config file add up to. */
export async function readSettings(flags: Partial<Options>, io: Io): Promise<Settings> {
  const environment = readEnvironment(io.environment)
  return loadSettings(flags, environment, await readConfig(flags.config ?? environment.config, io.folder), io.folder)
}
