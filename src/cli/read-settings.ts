import type { Options } from '../../schemas/config.js'
import { readConfig } from '../server/config-file.js'
import { readEnvironment } from '../server/options.js'
import { resolveSettings } from '../server/settings.js'
import type { Settings } from '../world/settings.js'
import type { Io } from './command.js'
import { namedFile, noteNames } from './named-files.js'

/**
 * The settings from the command line, the environment and the config file, which `read` reads.
 * @throws {InvalidFiles} if the config file cannot be used
 */
export async function readSettings(
  flags: Partial<Options>,
  io: Io,
  read: typeof readConfig = readConfig,
): Promise<Settings> {
  const fromEnvironment = readEnvironment(io.environment)
  const name = flags.config ?? fromEnvironment.config
  if (name !== undefined) namedFile(io, name)
  const settings = resolveSettings(flags, fromEnvironment, await read(name, io.folder), io.folder)
  noteNames(io, settings)
  return settings
}
