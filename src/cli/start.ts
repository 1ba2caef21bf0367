import { createServer } from '../server/create-server.js'
import { banner } from './banner.js'
import type { Command } from './command.js'
import { readCommandLine, refuseWords } from './command-line.js'
import { readSettings } from './read-settings.js'

/** Serves the API until it is interrupted. */
export const start: Command = async (argv, io) => {
  const { options, words } = readCommandLine(argv)
  refuseWords(words)
  // Asked for first: a signal that comes while the server starts must end it in order, too.
  const { ended } = io
  const server = await createServer(await readSettings(options, io), {
    notify: io.err,
    rereadSettings: () => readSettings(options, io),
  })
  const url = await server.listen()
  io.out(banner(url, server))
  await ended
  await server.close()
  return 0
}
