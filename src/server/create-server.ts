import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Contract } from '../../schemas/contract.js'
import type { Fixtures } from '../../schemas/fixtures.js'
import { buildApp } from '../http/app.js'
import type { Operation } from '../operations/handler.js'
import { operations as documented } from '../operations/index.js'
import { defaultFixtures, version } from '../package-root.js'
import { InvalidFiles } from '../text/source-file.js'
import type { Exchange } from '../world/journal/exchange.js'
import { Smtp } from '../world/mail/smtp.js'
import { Library } from '../world/scenarios/library.js'
import { loadScenarios } from '../world/scenarios/load.js'
import { readFixtures } from '../world/state/fixtures.js'
import { SeededCollections } from '../world/state/seeded-collections.js'
import { StateFile } from '../world/state/state-file.js'
import { Store } from '../world/state/store.js'
import type { WorldSettings } from '../world/world.js'
import { Worlds } from '../world/worlds.js'
import { clockStart, type Settings } from './options.js'
import { activeIn, requireScenarios, scenarioFolders, watchEdits } from './reload.js'

/** A server with its worlds, ready to listen. */
export interface Server {
  readonly app: FastifyInstance
  readonly worlds: Worlds
  readonly contracts: readonly Contract[]
  readonly settings: Settings
  /** Listens, and resolves with the base URL. */
  listen(): Promise<string>
  close(): Promise<void>
}

export interface ServerParts {
  /** Fixtures in the place of those that the settings name. */
  readonly fixtures?: Fixtures
  readonly operations?: readonly Operation[]
  /** Called with each exchange of every world as it ends. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Told what a user should know of while the server runs, such as a scenario file that cannot be used. */
  readonly notify?: (text: string) => void
  /** Reads the settings again after their file was edited; without it, edits of the config file are not seen. */
  readonly rereadSettings?: () => Promise<Settings>
}

/**
 * Builds a server from its settings.
 * @throws {InvalidFiles} for fixtures or scenarios that cannot be used
 * @throws {InvalidOption} for a scenario that does not exist
 */
export async function createServer(settings: Settings, parts: ServerParts = {}): Promise<Server> {
  const { operations = documented, notify = () => {} } = parts
  const contracts = operations.map(({ contract }) => contract)
  let current = settings
  const library = new Library(contracts, (outcome) =>
    loadScenarios(scenarioFolders(current), { contracts, errorBody: current.readings.errorBody, outcome }),
  )
  if (settings.scenarios !== undefined && !existsSync(settings.scenarios)) {
    const message = 'There is no such folder: --scenarios names the one with the scenario files.'
    throw new InvalidFiles([{ file: settings.scenarios, message }])
  }
  const fixtures = parts.fixtures ?? (await readFixtures(settings.fixtures ?? defaultFixtures))
  const active = activeIn(settings)
  await requireScenarios(library, active)
  const file = settings.persist === undefined ? undefined : await StateFile.open(settings.persist)
  const store = file && (await openStore(file))
  const shared: WorldSettings = {
    seeded: new SeededCollections(fixtures),
    library,
    active,
    seed: settings.seed,
    clock: clockStart(settings.clock),
    readings: settings.readings,
    acceptance: settings.acceptance,
    journalSize: settings.journalSize,
  }
  const smtp = settings.smtp === undefined ? undefined : new Smtp(settings.smtp)
  const worlds = new Worlds(shared, store, (world) => {
    smtp?.serve(world.outbox)
    if (parts.onExchange !== undefined) world.journal.subscribe(parts.onExchange)
  })
  const { logLevel, host, adminToken } = settings
  const live = { auth: settings.auth, strict: settings.strict, bodyLimit: settings.bodyLimit }
  const app = buildApp({ operations, worlds, settings: live, logLevel, host, adminToken, version: version() })
  if (settings.watch) {
    watchEdits(app, {
      worlds,
      library,
      notify,
      settings: () => current,
      reread: parts.rereadSettings,
      fixtures: parts.fixtures === undefined,
      take: (changed) => {
        current = changed
      },
      apply: (changed) => {
        const { auth, strict, readings, acceptance } = changed
        Object.assign(live, { auth, strict })
        worlds.configure({ readings, acceptance, active: activeIn(changed) })
      },
    })
  }
  const close = async () => {
    await app.close()
    await smtp?.close()
    await store?.settled()
    await file?.close()
  }
  const listen = async () => {
    try {
      await app.listen({ port: settings.port, host: settings.host })
    } catch (error) {
      await close()
      throw error
    }
    return baseUrl(app.server.address() as AddressInfo)
  }
  return { app, worlds, contracts, settings, listen, close }
}

/** A state that cannot be used is left alone, and its lock given back. */
async function openStore(file: StateFile): Promise<Store> {
  try {
    return await Store.open(file)
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Where a client on this machine reaches the server. */
function baseUrl({ address, family, port }: AddressInfo): string {
  const anywhere = address === '0.0.0.0' || address === '::'
  const host = anywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
