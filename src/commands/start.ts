import { readCommandLine, readConfig, readEnvironment, type Settings, settle } from '../options.js'
import { createServer } from '../server.js'
import { banner } from './banner.js'
import type { Command, Io } from './command.js'

/** Serves the API until it is told to end. */
export const start: Command = async (argv, io) => {
  const { options, words } = readCommandLine(argv)
  refuseWords(words)
  const server = await createServer(await settingsOf(options, io))
  const url = await server.listen()
  io.out(banner(url, server))
  await io.ended
  await server.close()
  return 0
}

/** The settings that command line, environment and config file add up to. */
export async function settingsOf(flags: Parameters<typeof settle>[0], io: Io): Promise<Settings> {
  const environment = readEnvironment(io.environment)
  return settle(flags, environment, await readConfig(flags.config ?? environment.config, io.folder))
}

export function refuseWords(words: readonly string[]): void {
  if (words.length > 0) throw new Error(`'${words[0]}' is not expected here: see 'countersign --help'.`)
}
