import { randomBytes } from 'node:crypto'
import type { MockServerOptions } from '../../schemas/plain.js'
import { quote } from '../engine/contract/wording.js'
import { Config, defaultsInProcess, type Options } from '../engine/files/config.js'
import { checkFixtures } from '../engine/files/fixtures.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { sourceOf } from '../engine/files/source-file.js'
import { explainMismatches } from '../engine/files/validate-source.js'
import { PROCESS_HEADER } from '../engine/http/admin/guard.js'
import { AdminClient } from '../tools/integrations/admin-client.js'
import { serverHandle } from '../tools/integrations/handle.js'
import type { MockServer } from '../tools/integrations/mock-server.js'
import { checkSwitches } from './check-switches.js'
import { type ConfigFile, readConfig } from './config-file.js'
import { createServer } from './create-server.js'
import { readEnvironment } from './options.js'
import { resolveSettings, type Settings } from './settings.js'

/**
 * Starts a server on a free port by the environment and the config file, as `countersign exec` does; options come first.
 * @throws {InvalidOption} if an option or a variable is invalid
 * @throws {InvalidFiles} if the config file, the fixtures or the scenarios cannot be used
 */
export async function startAsConfigured(
  options: MockServerOptions,
): Promise<{ readonly mock: MockServer; readonly adminToken: string | undefined }> {
  const { port: _, ...environment } = readEnvironment(process.env)
  const { file, config } = await readConfig(environment.config, process.cwd())
  const settings = settingsOf(options, environment, { file, config: { ...config, port: 0 } })
  return { mock: await start(settings, options), adminToken: settings.adminToken }
}

/** @throws {InvalidOption} if an option is invalid */
export function settingsOf(
  options: MockServerOptions,
  environment: Partial<Options> = {},
  { file, config }: ConfigFile = { file: undefined, config: {} },
): Settings {
  if (typeof options !== 'object' || options === null)
    throw new InvalidOption(`startMockServer takes an object of options, not ${quote(options)}.`)
  const { fixtures, tls: _, ...others } = options
  const given = { ...others, ...(typeof fixtures === 'string' && { fixtures }) } as Config
  const mismatches = [...explainMismatches(Config, given), ...checkSwitches(given).map(({ message }) => message)]
  if (mismatches.length > 0) throw new InvalidOption(mismatches.join(' '))
  const unset = Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in options)))
  return resolveSettings({}, unset, { file, config: { ...defaultsInProcess, ...config, ...given } })
}

export async function start(settings: Settings, { fixtures, tls }: MockServerOptions): Promise<MockServer> {
  const data = typeof fixtures === 'object' ? await checkFixtures(sourceOf('fixtures', fixtures)) : undefined
  const { stdout } = process
  // A program's output is its own, unless it asks.
  const print = settings.logRequests === true ? (line: string) => void stdout.write(`${line}\n`) : undefined
  const secret = randomBytes(32).toString('base64url')
  const server = await createServer(settings, { print, fixtures: data, tls, secret })
  const serverUrl = await server.listen()
  const client = new AdminClient({ [PROCESS_HEADER]: secret }, server.cert)
  const close = async () => {
    client.close('The server was closed.')
    await server.close()
  }
  return serverHandle({ client, serverUrl, publicUrl: settings.publicUrl }, close).catch(async (error) => {
    await close()
    throw error
  })
}
