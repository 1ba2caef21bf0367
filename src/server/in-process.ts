import { Config, defaultsInProcess, type Options } from '../../schemas/config.js'
import type { MockServerOptions } from '../../schemas/plain.js'
import { boundedPrint } from '../text/bounded-print.js'
import { InvalidFiles, UnusableFiles } from '../text/invalid-files.js'
import { sourceOf } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { explainDepartures } from '../validation/explain.js'
import { mistakesInInterpretations } from '../validation/reading-mistakes.js'
import type { Settings } from '../world/settings.js'
import { checkFixtures } from '../world/state/fixtures.js'
import { byInject } from './admin-by-inject.js'
import { complaintsInWords, type FileNames } from './complaints-in-words.js'
import { type ConfigFile, readConfig } from './config-file.js'
import { createServer } from './create-server.js'
import { ServerHandle } from './handle.js'
import { InvalidOption } from './invalid-option.js'
import { readEnvironment } from './options.js'
import { resolveSettings } from './settings.js'
import type { MockServer } from './world-handle.js'

/** Starts a server as `startMockServer` says, which loads this file when it is called. */
export async function startInProcess(options: MockServerOptions): Promise<MockServer> {
  const settings = settle(options)
  return inWords(settings, () => start(settings, options))
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
  const { config, ...file } = await inWords({ written: {} }, () => readConfig(environment.config, process.cwd()))
  const settings = settle(options, environment, { ...file, config: { ...config, port: 0 } })
  const mock = await inWords(settings, () => start(settings, options))
  return { mock, adminToken: settings.adminToken }
}

/** @throws {InvalidOption} if an option is invalid */
function settle(
  options: MockServerOptions,
  environment: Partial<Options> = {},
  { config, ...file }: ConfigFile = { file: undefined, config: {} },
): Settings {
  if (typeof options !== 'object' || options === null)
    throw new InvalidOption(`startMockServer takes an object of options, not ${quote(options)}.`)
  const { fixtures, tls: _, ...others } = options
  const given = checkConfig({ ...others, ...(typeof fixtures === 'string' && { fixtures }) })
  const unset = Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in options)))
  return resolveSettings({}, unset, { ...file, config: { ...defaultsInProcess, ...config, ...given } })
}

/** Does what needs files; complaints name them as the user does. */
async function inWords<T>(names: FileNames, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnusableFiles)) throw error
    throw new InvalidFiles(await complaintsInWords(error.complaints, names))
  }
}

async function start(
  settings: Settings,
  { fixtures, tls }: Pick<MockServerOptions, 'fixtures' | 'tls'>,
): Promise<MockServer> {
  const data = typeof fixtures === 'object' ? await checkFixtures(sourceOf('fixtures', fixtures)) : undefined
  // A program's output is its own, unless it asks.
  const print = settings.logRequests === true ? boundedPrint(process.stdout) : undefined
  const server = await createServer(settings, {
    ...(print && { print }),
    ...(data && { fixtures: data }),
    ...(tls && { tls }),
  })
  // Whoever switches a scenario on does so at once.
  const [url] = await Promise.all([server.listen(), server.worlds.root.library.load()])
  const { publicUrl } = settings
  return ServerHandle.of({ transport: byInject(server), serverUrl: url, publicUrl })
}

function checkConfig(config: object): Config {
  const mistakes = mistakesInInterpretations(config).map(({ message }) => message)
  const departures = [...explainDepartures(Config, config), ...mistakes]
  if (departures.length > 0) throw new InvalidOption(departures.join(' '))
  return config
}
