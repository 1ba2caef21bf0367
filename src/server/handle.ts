import { Config } from '../../schemas/config.js'
import type { Contract } from '../../schemas/contract.js'
import type { Fixtures, Invitation } from '../../schemas/fixtures.js'
import { type Coverage, coverageOf } from '../coverage/coverage.js'
import { acceptDueInvitations, answerInvitation } from '../operations/invitation.js'
import { describeDeparture, distinctDepartures } from '../text/source-file.js'
import { didYouMean, quote } from '../text/wording.js'
import { checkOf } from '../validation/check.js'
import { type ExchangeEntry, entryOf } from '../world/journal/entry.js'
import { type JournalFilter, matching } from '../world/journal/filter.js'
import type { Message } from '../world/mail/outbox.js'
import { checkFixtures } from '../world/state/fixtures.js'
import type { World } from '../world/world.js'
import { createServer, type Server } from './create-server.js'
import { InvalidOption, resolveSettings } from './options.js'

/** The options of the command line, in camelCase, and the keys of the config file; `fixtures` may be the data itself. */
export interface MockServerOptions extends Omit<Config, '$schema' | 'version' | 'fixtures'> {
  readonly fixtures?: string | Fixtures
}

/** One world of a server: the root, or a sandbox. */
export interface MockWorld {
  /** The base URL that a client of this world is given. */
  readonly url: string
  readonly scenarios: {
    /** Switches a scenario or an outcome such as `addOrganizationMember:409` on. @throws {InvalidOption} for an unknown one */
    activate(name: string): void
    deactivate(name: string): void
    /** The names of those that are on. */
    active(): readonly string[]
    /** Begins every scenario anew; what is on stays on. */
    reset(): void
  }
  readonly outbox: {
    messages(filter?: { readonly to?: string }): readonly Message[]
    /** Resolves with the newest mail as soon as there is one. @throws {Error} when there is none after `timeout` ms (5,000) */
    waitFor(filter?: { readonly to?: string; readonly timeout?: number }): Promise<Message>
  }
  readonly invitations: {
    all(): readonly Invitation[]
    /** Answers the pending invitation to an address. @throws {Error} when there is none */
    accept(email: string): Promise<Invitation>
    decline(email: string): Promise<Invitation>
  }
  readonly clock: {
    now(): Date
    /** Sets the time; frozen unless told otherwise. */
    set(now: Date | string, frozen?: boolean): void
    /** Moves the time on, in milliseconds. */
    advance(ms: number): void
  }
  readonly state: {
    get(): Fixtures
    /** Puts other fixtures in the place of all there is. @throws {InvalidFiles} when they are not in the fixtures format */
    set(fixtures: Fixtures): Promise<void>
  }
  /** The journal, newest first. */
  requests(filter?: JournalFilter): readonly ExchangeEntry[]
  /** Which of the declared outcomes were met. */
  coverage(): Coverage
  /** Calls back with each exchange as it ends, until the returned function is called. */
  on(event: 'exchange', listener: (exchange: ExchangeEntry) => void): () => void
  /** Begins again: seeded state, empty journal and outbox, scenarios and clock as at the start. */
  reset(): void
}

/** A running server; also its root world. */
export interface MockServer extends MockWorld, AsyncDisposable {
  /** The first user's token. */
  readonly token: string
  readonly adminUrl: string
  /** The sandbox of a name, made on first use. @throws {InvalidOption} for what is no sandbox name */
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
 * @throws {InvalidOption} for options that do not fit
 * @throws {InvalidFiles} for fixtures or scenarios that cannot be used
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { fixtures, ...config } = options
  const checked = checkConfig({ ...config, ...(typeof fixtures === 'string' && { fixtures }) })
  const settings = resolveSettings({}, {}, { file: undefined, config: { watch: false, ...checked } })
  const data = typeof fixtures === 'object' ? await checkFixtures(fixtures, 'fixtures') : undefined
  const server = await createServer(settings, data && { fixtures: data })
  await server.worlds.root.library.load()
  const url = await server.listen()
  return mockServer(server, url)
}

function checkConfig(config: object): Config {
  const complaints = distinctDepartures(checkOf(Config)(config))
  if (complaints.length > 0) throw new InvalidOption(complaints.map(describeDeparture).join(' '))
  return config
}

function mockServer(server: Server, url: string): MockServer {
  const { contracts, worlds } = server
  const [first] = worlds.root.state.collection('users').all()
  const close = () => server.close()
  return {
    ...mockWorld(worlds.root, contracts, url),
    token: first?.token ?? '',
    adminUrl: `${url}/__admin`,
    sandbox: (name) => {
      const world = worlds.sandbox(name)
      if (world === undefined)
        throw new InvalidOption(
          `${quote(name)} is no sandbox name: take 1 to 64 letters, digits, dots, hyphens and underscores.`,
        )
      return mockWorld(world, contracts, url)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function mockWorld(world: World, contracts: readonly Contract[], url: string): MockWorld {
  const { playback, library, outbox, clock, journal, state } = world
  return {
    url: `${url}${world.prefix}`,
    scenarios: {
      activate: (name) => {
        if (library.find(name) === undefined)
          throw new InvalidOption(`There is no scenario ${quote(name)}.${didYouMean(name, library.names())}`)
        playback.activate(name)
      },
      deactivate: (name) => playback.deactivate(name),
      active: () => playback.active,
      reset: () => playback.rewind(),
    },
    outbox: {
      messages: ({ to } = {}) => outbox.messages(to),
      waitFor: async ({ to, timeout = 5_000 } = {}) => {
        const newest = (await outbox.wait(to, timeout)).at(-1)
        if (newest === undefined)
          throw new Error(`No mail${to === undefined ? '' : ` to ${to}`} came within ${timeout} ms.`)
        return newest
      },
    },
    invitations: {
      all: () => {
        acceptDueInvitations(world)
        return [...state.collection('invitations').all()]
      },
      accept: (email) => respond(world, email, 'accept'),
      decline: (email) => respond(world, email, 'decline'),
    },
    clock: {
      now: () => new Date(clock.now()),
      set: (now, frozen = true) => clock.set(new Date(now).getTime(), frozen),
      advance: (ms) => clock.set(clock.now() + ms, clock.frozen),
    },
    state: {
      get: () => state.export(),
      set: async (fixtures) => {
        state.replace(await checkFixtures(structuredClone(fixtures), 'state'))
        await state.save()
      },
    },
    requests: (filter = {}) => journal.exchanges().filter(matching(filter)).map(entryOf),
    coverage: () => coverageOf(contracts, [journal.tallies]),
    on: (_, listener) => journal.subscribe((exchange) => listener(entryOf(exchange))),
    reset: () => world.reset(),
  }
}

async function respond(world: World, email: string, event: 'accept' | 'decline'): Promise<Invitation> {
  acceptDueInvitations(world)
  const pending = world.state
    .collection('invitations')
    .find('status', 'pending')
    .find((one) => one.email.toLowerCase() === email.toLowerCase())
  const answered = pending && answerInvitation(world, pending, event)
  if (answered === undefined) throw new Error(`There is no pending invitation to ${quote(email)}.`)
  await world.state.save()
  return answered
}
