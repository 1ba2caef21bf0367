import { randomBytes } from 'node:crypto'
import type { Api } from '../engine/api.js'
import { quote } from '../engine/contract/wording.js'
import { fixturesFormat } from '../engine/files/collections.js'
import { defaultsInProcess } from '../engine/files/config.js'
import { checkFixtures } from '../engine/files/fixtures.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { sourceFromData } from '../engine/files/source-file.js'
import { explainMismatches } from '../engine/files/validate-source.js'
import { PROCESS_SECRET_HEADER } from '../engine/http/admin/access.js'
import { AdminClient } from '../tools/integrations/admin-api.js'
import { serverHandle } from '../tools/integrations/handle.js'
import type { ApiServer, HandlePart, HandleTypes } from '../tools/integrations/mock-server.js'
import { type ConfigFile, checkInterpretations, configSchemaFor, readConfig } from './config-file.js'
import { createServer } from './create-server.js'
import { type Options, readEnvironment } from './options.js'
import { resolveSettings, type Settings } from './settings.js'
import type { TlsPair } from './tls.js'

interface ServedApi<T extends HandleTypes> {
  readonly api: Api
  readonly part: HandlePart<T>
}

interface InProcessOptions {
  readonly fixtures?: string | object
  readonly tls?: TlsPair
}

/** @throws {InvalidOption} for an invalid option or address @throws {InvalidFiles} for unusable files */
export async function startInProcess<T extends HandleTypes>(served: ServedApi<T>, options: InProcessOptions) {
  return start(served, settingsOf(served.api, options), options)
}

/** Reads environment and config file; `options` override both. @throws {InvalidOption} @throws {InvalidFiles} */
export async function startWithConfig<T extends HandleTypes>(served: ServedApi<T>, options: InProcessOptions) {
  const { port: _, ...environment } = readEnvironment(process.env)
  const { file, config } = await readConfig(served.api, environment.config, process.cwd())
  const settings = settingsOf(served.api, options, environment, { file, config: { ...config, port: 0 } })
  return { mock: await start(served, settings, options), adminToken: settings.adminToken }
}

function settingsOf(
  api: Api,
  options: InProcessOptions,
  environment: Partial<Options> = {},
  { file, config }: ConfigFile = { file: undefined, config: {} },
): Settings {
  if (typeof options !== 'object' || options === null)
    throw new InvalidOption(`startMockServer takes an object of options, not ${quote(options)}.`)
  const { fixtures, tls: _, ...others } = options
  const overrides = { ...others, ...(typeof fixtures === 'string' && { fixtures }) }
  const complaints = checkInterpretations(api, overrides).map(({ message }) => message)
  const mismatches = [...explainMismatches(configSchemaFor(api), overrides), ...complaints]
  if (mismatches.length > 0) throw new InvalidOption(mismatches.join(' '))
  const otherVariables = Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in options)))
  return resolveSettings(api, {}, otherVariables, { file, config: { ...defaultsInProcess, ...config, ...overrides } })
}

async function start<T extends HandleTypes>(
  { api, part }: ServedApi<T>,
  settings: Settings,
  { fixtures, tls }: InProcessOptions,
): Promise<ApiServer<T>> {
  const format = fixturesFormat(api.collections, api.fixturesPath)
  const data =
    typeof fixtures === 'object' ? await checkFixtures(format, sourceFromData('fixtures', clone(fixtures))) : undefined
  const { stdout } = process
  const print = settings.logRequests === true ? (line: string) => void stdout.write(`${line}\n`) : undefined
  const processSecret = randomBytes(32).toString('base64url')
  const server = await createServer(api, settings, { print, fixtures: data, tls, processSecret })
  const serverUrl = await server.listen()
  const client = new AdminClient({ [PROCESS_SECRET_HEADER]: processSecret }, server.cert)
  const close = async () => {
    client.close('The server was closed.')
    await server.close()
  }
  return serverHandle({ client, serverUrl, publicUrl: settings.publicUrl, part }, close).catch(async (error) => {
    await close()
    throw error
  })
}

/** The server freezes its fixtures. @throws {InvalidOption} for values that cannot be cloned, such as functions */
function clone(fixtures: object): object {
  try {
    return structuredClone(fixtures)
  } catch (error) {
    throw new InvalidOption(`'fixtures' must be plain data: ${(error as Error).message}`)
  }
}
