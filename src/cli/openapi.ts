import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { openapiDocument } from '../docs/openapi/document.js'
import { type OpenapiVersion, openapiVersions } from '../docs/openapi/versions.js'
import { version as packageVersion } from '../package-root.js'
import { InvalidOption } from '../server/invalid-option.js'
import { quote } from '../text/wording.js'
import type { Settings } from '../world/settings.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'
import { localAddress } from './local-address.js'
import { manual } from './manuals/openapi.js'
import { readSettings } from './read-settings.js'

/** Prints the OpenAPI document, as a server with the same options would serve it. */
export const openapi: Command = async (argv, io) => {
  const { options, words, own } = readCommandLine('openapi', argv, manual.flags)
  if (words.length > 0) {
    throw new InvalidOption(
      `${quote(words[0])} is not expected here. Usage: countersign openapi [--version 3.0|3.1] [--yaml]`,
    )
  }
  const version = versionOf(own.version)
  const settings = await readSettings(options, io)
  const document = openapiDocument(contractsUnder(contracts, settings.readings), {
    version,
    packageVersion: packageVersion(),
    serverUrl: addressOf(settings),
    readings: settings.readings,
  })
  io.out(own.yaml === undefined ? JSON.stringify(document, null, 2) : await yaml(document))
  return 0
}

function versionOf(given: string | true = '3.1'): OpenapiVersion {
  const version = openapiVersions.find((one) => one === given)
  if (version !== undefined) return version
  throw new InvalidOption(`--version must be one of ${openapiVersions.join(', ')}, not ${quote(given)}.`)
}

/** A port that is not chosen yet shows as the default one. */
function addressOf(settings: Settings): string {
  return localAddress({ ...settings, port: settings.port === 0 ? 4010 : settings.port })
}

async function yaml(document: unknown): Promise<string> {
  const { stringify } = await import('../text/yaml.js')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()
}
