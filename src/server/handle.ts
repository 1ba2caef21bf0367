import type { Contract } from '../../schemas/contract.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import type { Fixtures, Invitation } from '../../schemas/fixtures.js'
import type { ScenarioDefinition } from '../../schemas/scenario.js'
import { type Coverage, coverageOf } from '../coverage/coverage.js'
import { acceptDueInvitations, answerInvitation } from '../operations/invitation.js'
import { sourceOf } from '../text/source-file.js'
import { didYouMean, quote } from '../text/wording.js'
import { type ExchangeEntry, entryOf } from '../world/journal/entry.js'
import { type JournalFilter, matching } from '../world/journal/filter.js'
import type { Message } from '../world/mail/outbox.js'
import { defineScenario, removeScenario } from '../world/scenarios/define.js'
import { checkFixtures, checkPatch } from '../world/state/fixtures.js'
import type { World } from '../world/world.js'
import { InvalidOption } from './invalid-option.js'

/** One world of a server: the root, or a sandbox. */
export interface MockWorld {
  /** The base URL that a client of this world is given. */
  readonly url: string
  readonly scenarios: {
    /** Switches a scenario or an outcome such as `addOrganizationMember:409` on. @throws {InvalidOption} for an unknown one */
    activate(name: string): void
    deactivate(name: string): void
    /**
     * Defines a scenario in this world, or replaces it, by what a scenario file would hold; it is not switched on unless
     * `active` says so, and ends with the world's reset. @throws {InvalidFiles} with every complaint
     */
    define(name: string, definition: ScenarioDefinition): Promise<void>
    /** Removes a scenario that was defined here. @throws {InvalidOption} where none of this name was */
    remove(name: string): void
    /** The names of those that are on. */
    active(): readonly string[]
    /** Restarts every scenario; what is on stays on. */
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
    /** Sets the time; frozen unless told otherwise. @throws {RangeError} for one that is none, or beyond the clock's reach */
    set(now: Date | string, frozen?: boolean): void
    /** Moves the time on, in milliseconds. */
    advance(ms: number): void
  }
  readonly state: {
    get(): Fixtures
    /** Replaces the whole state by fixtures. @throws {InvalidFiles} when they are not in the fixtures format */
    set(fixtures: Fixtures): Promise<void>
    /** Puts whole records over those that are there, by their keys. @throws {InvalidFiles} when they do not fit */
    patch(fixtures: Fixtures): Promise<void>
  }
  /** The journal, newest first. */
  requests(filter?: JournalFilter): readonly ExchangeEntry[]
  /** Which of the declared outcomes were met. */
  coverage(): Coverage
  /** Calls back with each exchange as it ends, until the returned function is called. */
  on(event: 'exchange', listener: (exchange: ExchangeEntry) => void): () => void
  /** Starts over: seeded state, empty journal and outbox, scenarios and clock as at the start. */
  reset(): void
}

/** The handle of a world. */
export function worldHandle(world: World, contracts: readonly Contract[], url: string): MockWorld {
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
      define: (name, definition) => defineScenario(world, name, sourceOf(name, structuredClone(definition))),
      remove: (name) => {
        if (!removeScenario(world, name)) throw new InvalidOption(`No scenario ${quote(name)} was defined here.`)
      },
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
      set: (now, frozen = true) => clock.set(timeOf(now), frozen),
      advance: (ms) => clock.set(clock.now() + ms, clock.frozen),
    },
    state: {
      get: () => {
        acceptDueInvitations(world)
        return state.export()
      },
      set: async (fixtures) => {
        state.replace(await checkFixtures(structuredClone(fixtures), 'state'))
        await state.save()
      },
      patch: async (fixtures) => {
        state.patch(await checkPatch(state.export(), structuredClone(fixtures), 'state'))
        await state.save()
      },
    },
    requests: (filter = {}) => journal.exchanges().filter(matching(filter)).map(entryOf),
    coverage: () => coverageOf(contractsUnder(contracts, world.settings.readings), [journal.outcomes]),
    on: (_, listener) => journal.subscribe((exchange) => listener(entryOf(exchange))),
    reset: () => world.reset(),
  }
}

function timeOf(now: Date | string): number {
  const time = new Date(now).getTime()
  if (Number.isNaN(time)) throw new RangeError(`${quote(String(now))} is not a time: give a Date or an ISO 8601 time.`)
  return time
}

async function respond(world: World, email: string, event: 'accept' | 'decline'): Promise<Invitation> {
  acceptDueInvitations(world)
  const pending = world.state
    .collection('invitations')
    .find('status', 'pending')
    .find((one) => one.email.toLowerCase() === email.toLowerCase())
  const answered = pending && answerInvitation(world, pending.id, event)
  if (answered === undefined) throw new Error(`There is no pending invitation to ${quote(email)}.`)
  await world.state.save()
  return answered
}
