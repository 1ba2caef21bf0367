import { applySwitches } from '../engine/api.js'
import { packageVersion } from '../package-root.js'
import { localUrl } from '../server/listen.js'
import { toolPreferences } from '../server/tools.js'
import { openapiDocument } from '../tools/openapi/document.js'
import { type OpenapiVersion, openapiVersions } from '../tools/openapi/versions.js'
import type { CommandInput, MakeCommand } from './command.js'
import { readSettings } from './files.js'
import { flag, requireAllowed } from './flags.js'

function parseVersion(text: string, source: string): OpenapiVersion {
  requireAllowed(source, text, openapiVersions)
  return text as OpenapiVersion
}

const help = `OpenAPI version: ${openapiVersions.join(' or ')}; 3.0 is for older tools.`
const flags = { version: flag('<VERSION>', help, parseVersion, openapiVersions[0]) }

export const command: MakeCommand = (api) => ({
  about: 'Prints the OpenAPI document that a server with the same options would serve.',
  flags,
  options: ['config', 'host', 'port'],
  optionHelp: {
    host: 'Host of the server URL in the document.',
    port: 'Port of the server URL in the document.',
  },
  sections: {
    Examples: 'npx countersign openapi --version 3.0 > openapi.json',
  },
  async run({ options, flags: { version } }: CommandInput<typeof flags>, io) {
    const settings = await readSettings(api, options, io)
    const { switches, port } = settings
    const document = openapiDocument(applySwitches(api, switches), {
      version,
      packageVersion: packageVersion(),
      // Port 0 means any free port.
      serverUrl: localUrl({ ...settings, port: port || 4010 }),
      switches,
      preferences: toolPreferences,
    })
    io.out(JSON.stringify(document, null, 2))
    return 0
  },
})
