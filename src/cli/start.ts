import { createServer } from '../server/create-server.js'
import { banner } from './banner.js'
import { withUsableFiles } from './check-files.js'
import type { Command } from './command.js'
import { readCommandLine, refuseWords } from './command-line.js'
import { readSettings } from './read-settings.js'

/** Serves the API until it is interrupted. */
export const start: Command = async (argv, io) => {
  const { options, words } = readCommandLine('start', argv)
  refuseWords('start', words)
  // Asked for first: a signal that comes while the server starts must end it in order, too.
  const { ended } = io
  const settings = async () => {
    const read = await readSettings(options, io)
    return { ...read, logRequests: read.logRequests ?? true }
  }
  const server = await withUsableFiles(options, io, async () =>
    createServer(await settings(), {
      notify: io.err,
      print: io.log,
      colour: io.colours.out,
      rereadSettings: settings,
    }),
  )
  const url = await server.listen()
  io.out(banner(url, server))
  await ended
  await server.close()
  return 0
}
