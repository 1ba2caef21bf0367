import { Config } from '../../schemas/config.js'
import type { Fixtures } from '../../schemas/fixtures.js'
import { BoundedWriter } from '../text/bounded-writer.js'
import { quote } from '../text/wording.js'
import { explainDepartures } from '../validation/explain.js'
import { mistakesInInterpretations } from '../validation/reading-mistakes.js'
import { checkFixtures } from '../world/state/fixtures.js'
import { createServer, type Server } from './create-server.js'
import { type MockWorld, worldHandle } from './handle.js'
import { InvalidOption } from './invalid-option.js'
import { loadSettings } from './settings.js'

/** The options of the command line, in camelCase, and the keys of the config file; `fixtures` may be the data itself. */
export interface MockServerOptions extends Omit<Config, '$schema' | 'version' | 'fixtures'> {
  readonly fixtures?: string | Fixtures
}

/** A running server; also its root world. */
export interface MockServer extends MockWorld, AsyncDisposable {
  /** The first user's token. */
  readonly token: string
  readonly adminUrl: string
  /** The sandbox of a name, made on first use. @throws {InvalidOption} for a name that is not allowed */
  sandbox(name: string): MockWorld
  close(): Promise<void>
}

/**
 * Starts a server in this process, by default on port 4010 (`port: 0` takes a free one), without watching files.
 *
 * ```ts
 * await using mock = await startMockServer({ port: 0 })
 * const worker = mock.sandbox('worker-3')
 * worker.scenarios.activate('addOrganizationMember:409')
 * ```
 * @throws {InvalidOption} for options that do not fit, and for a host or a port that cannot be listened on
 * @throws {PortInUse} where another program listens on the port
 * @throws {InvalidFiles} for fixtures or scenarios that cannot be used
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { fixtures, ...config } = options
  const checked = checkConfig({ ...config, ...(typeof fixtures === 'string' && { fixtures }) })
  const settings = await loadSettings({}, {}, { file: undefined, config: { watch: false, ...checked } })
  const data = typeof fixtures === 'object' ? await checkFixtures(fixtures, 'fixtures') : undefined
  // A program's output is its own, unless it asks.
  const print = settings.logRequests === true ? new BoundedWriter(process.stdout).write : undefined
  const server = await createServer(settings, { ...(print && { print }), ...(data && { fixtures: data }) })
  const url = await server.listen()
  return mockServer(server, url)
}

function checkConfig(config: object): Config {
  const mistakes = mistakesInInterpretations(config).map(({ message }) => message)
  const departures = [...explainDepartures(Config, config), ...mistakes]
  if (departures.length > 0) throw new InvalidOption(departures.join(' '))
  return config
}

function mockServer(server: Server, url: string): MockServer {
  const { contracts, worlds } = server
  const close = () => server.close()
  return {
    ...worldHandle(worlds.root, contracts, url),
    token: worlds.root.firstUser?.token ?? '',
    adminUrl: `${url}/__admin`,
    sandbox: (name) => {
      const world = worlds.sandbox(name)
      if (world === undefined)
        throw new InvalidOption(
          `${quote(name)} is not a sandbox name: use 1 to 64 letters, digits, dots, hyphens and underscores.`,
        )
      return worldHandle(world, contracts, url)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
