import type { InjectOptions } from 'fastify'
import { Config, defaultsInProcess, type Options } from '../../schemas/config.js'
import type { MockServerOptions } from '../../schemas/plain.js'
import { IN_PROCESS } from '../mock/http/admin/guard.js'
import { checkFixtures } from '../mock/sandbox/state/fixtures.js'
import { sourceOf } from '../mock/text/source-file.js'
import { quote } from '../mock/text/wording.js'
import { checkSwitches } from '../mock/validation/check-switches.js'
import { explainMismatches } from '../mock/validation/require-schema.js'
import type { Transport } from '../tools/integrations/admin-api.js'
import { serverHandle } from '../tools/integrations/handle.js'
import type { MockServer } from '../tools/integrations/mock-server.js'
import { type ConfigFile, readConfig } from './config-file.js'
import { createServer, type Server } from './create-server.js'
import { InvalidOption } from './invalid-option.js'
import { readEnvironment } from './options.js'
import type { Settings } from './settings.js'
import { resolveSettings } from './settings.js'

/** Starts a server as `startMockServer` says, which loads this file when it is called. */
export async function startInProcess(options: MockServerOptions): Promise<MockServer> {
  return start(settingsOf(options), options)
}

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
function settingsOf(
  options: MockServerOptions,
  environment: Partial<Options> = {},
  { file, config }: ConfigFile = { file: undefined, config: {} },
): Settings {
  if (typeof options !== 'object' || options === null)
    throw new InvalidOption(`startMockServer takes an object of options, not ${quote(options)}.`)
  const { fixtures, tls: _, ...others } = options
  const given = checkConfig({ ...others, ...(typeof fixtures === 'string' && { fixtures }) })
  const unset = Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in options)))
  return resolveSettings({}, unset, { file, config: { ...defaultsInProcess, ...config, ...given } })
}

function checkConfig(config: object): Config {
  const others = checkSwitches(config).map(({ message }) => message)
  const mismatches = [...explainMismatches(Config, config), ...others]
  if (mismatches.length > 0) throw new InvalidOption(mismatches.join(' '))
  return config
}

async function start(settings: Settings, { fixtures, tls }: MockServerOptions): Promise<MockServer> {
  const data = typeof fixtures === 'object' ? await checkFixtures(sourceOf('fixtures', fixtures)) : undefined
  const { stdout } = process
  // A program's output is its own, unless it asks.
  const print = settings.logRequests === true ? (line: string) => void stdout.write(`${line}\n`) : undefined
  const server = await createServer(settings, { print, fixtures: data, tls })
  const serverUrl = await server.listen()
  return serverHandle({ transport: byInject(server), serverUrl, publicUrl: settings.publicUrl })
}

/** Reaches the admin API of a server in this process, without its address and token. */
function byInject({ app, closed, close }: Server): Transport {
  // A signal of its own for each call: on a shared one, listeners would pile up.
  const inject = async (call: InjectOptions, ending = new AbortController()) => {
    const end = () => ending.abort()
    closed.addEventListener('abort', end)
    try {
      return await app.inject({ ...call, remoteAddress: IN_PROCESS, signal: ending.signal })
    } catch (error) {
      throw closed.aborted ? new Error('The server was closed.', { cause: error }) : error
    } finally {
      closed.removeEventListener('abort', end)
    }
  }
  return {
    call: async (api, path, { body, ...init }) => {
      const { statusCode, payload } = await inject({ ...init, url: `${api}${path}`, payload: body })
      return { status: statusCode, text: payload }
    },
    listen: async (api) => {
      const ending = new AbortController()
      const end = () => ending.abort()
      const response = await inject({ url: `${api}/events`, payloadAsStream: true }, ending)
      closed.addEventListener('abort', end, { signal: ending.signal })
      return { texts: response.stream().setEncoding('utf8'), end }
    },
    close,
  }
}
