import { createServer } from '../server/create-server.js'
import { optionNames } from '../server/options.js'
import { banner } from './banner.js'
import type { CliCommand } from './command.js'
import { readSettings } from './files.js'
import { withUsableFiles } from './validate.js'

/** Serves the API until it is interrupted. */
export const command: CliCommand = {
  about: `Serves the API until you stop it (Ctrl+C). It prints its URL, the tokens and a curl command for each operation, and then a line for each exchange.

Edits to the config file, scenarios and fixtures take effect while it runs.`,
  options: optionNames,
  sections: {
    Examples: `
countersign
countersign --port 4011 --scenario addOrganizationMember:409 --scenario slow-everything
countersign start --fixtures ./fixtures --clock 2026-01-15T09:30:00Z --persist state.json
countersign --provider https://api.example.test --provider-token "$REAL_TOKEN" --fallback`,
  },
  async run({ options }, io) {
    // Asked for first: a signal that comes while the server starts must end it in order, too.
    const { ended } = io
    const rereadSettings = async () => {
      const settings = await readSettings(options, io)
      return { ...settings, logRequests: settings.logRequests ?? true }
    }
    const server = await withUsableFiles(options, io, async () =>
      createServer(await rereadSettings(), {
        notify: io.err,
        print: io.log,
        colour: io.colours.out,
        rereadSettings,
      }),
    )
    io.out(banner(await server.listen(), server))
    await ended
    await server.close()
    return 0
  },
}
