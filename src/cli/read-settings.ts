import {
  InvalidOption,
  type Options,
  readConfig,
  readEnvironment,
  resolveSettings,
  type Settings,
} from '../server/options.js'
import { quote } from '../text/wording.js'
import type { Io } from './command.js'

/** The settings that command line, environment and config file add up to. */
export async function settingsOf(flags: Partial<Options>, io: Io): Promise<Settings> {
  const environment = readEnvironment(io.environment)
  return resolveSettings(flags, environment, await readConfig(flags.config ?? environment.config, io.folder))
}

/** For commands that only look: nothing is watched, and no file is taken from a server that runs. */
export function lookingOnly(settings: Settings): Settings {
  return { ...settings, watch: false, persist: undefined }
}

/** @throws {InvalidOption} for words that a command has no use for */
export function refuseWords(words: readonly string[]): void {
  if (words.length > 0) throw new InvalidOption(`${quote(words[0])} is not expected here: see 'countersign --help'.`)
}
