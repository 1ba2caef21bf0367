import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Fixtures } from '../schemas/fixtures.js'
import { buildApp } from './app.js'
import type { Operation } from './handler.js'
import { operations as documented } from './operations.js'
import { clockStart, InvalidOption, type Settings } from './options.js'
import { packageRoot } from './package-root.js'
import { Library } from './scenarios/library.js'
import { Base } from './state/base.js'
import { readFixtures } from './state/fixtures.js'
import { didYouMean, quote } from './words.js'
import { Worlds } from './worlds.js'

export const defaultFixtures = join(packageRoot, 'fixtures')

/** A server with its worlds, ready to listen. */
export interface Server {
  readonly app: FastifyInstance
  readonly worlds: Worlds
  readonly settings: Settings
  /** Listens, and resolves with the base URL. */
  listen(): Promise<string>
  close(): Promise<void>
}

export interface ServerParts {
  /** Fixtures in the place of those that the settings name. */
  readonly fixtures?: Fixtures
  readonly operations?: readonly Operation[]
}

/**
 * Builds a server from its settings.
 * @throws {InvalidFiles} for fixtures or scenarios that cannot be used
 * @throws {InvalidOption} for a scenario that does not exist
 */
export async function createServer(settings: Settings, parts: ServerParts = {}): Promise<Server> {
  const operations = parts.operations ?? documented
  const fixtures = parts.fixtures ?? (await readFixtures(settings.fixtures ?? defaultFixtures))
  const library = new Library(operations.map(({ contract }) => contract))
  const active = [...new Set([...settings.active, ...settings.scenario])]
  await requireScenarios(library, active)
  const worlds = new Worlds(
    {
      base: new Base(fixtures),
      library,
      active,
      seed: settings.seed,
      clock: clockStart(settings.clock),
      readings: settings.readings,
      acceptance: settings.acceptance,
      journalSize: settings.journalSize,
    },
    undefined,
  )
  const app = buildApp({ operations, worlds, settings, logLevel: settings.logLevel })
  return {
    app,
    worlds,
    settings,
    listen: async () => {
      await app.listen({ port: settings.port, host: settings.host })
      return baseUrl(app.server.address() as AddressInfo)
    },
    close: () => app.close(),
  }
}

async function requireScenarios(library: Library, names: readonly string[]): Promise<void> {
  if (names.some((name) => library.needsFilesFor(name))) await library.load()
  const unknown = names.find((name) => library.find(name) === undefined)
  if (unknown === undefined) return
  throw new InvalidOption(
    `There is no scenario ${quote(unknown)}.${didYouMean(unknown, library.names())} 'countersign list' shows what there is.`,
  )
}

/** Where a client on this machine reaches the server. */
function baseUrl({ address, family, port }: AddressInfo): string {
  const anywhere = address === '0.0.0.0' || address === '::'
  const host = anywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
