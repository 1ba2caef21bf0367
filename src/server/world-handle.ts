import type {
  Fixtures,
  GatewayOutcome,
  Invitation,
  OperationId,
  OutcomeId,
  ScenarioDefinition,
  ShippedScenario,
} from '../../schemas/plain.js'
import type { Coverage } from '../coverage/coverage.js'
import type { ExchangeEntry } from '../world/journal/entry.js'
import type { Message } from '../world/mail/outbox.js'

/** Where a world is: in this process, or behind an admin API. */
type Place = 'here' | 'elsewhere'

/** What a method gives: in this process at once, from elsewhere as a promise. */
type Given<P extends Place, T> = P extends 'here' ? T : Promise<T>

/** A scenario that is known by name: an outcome, a gateway's, or one that ships. Files and tests define others. */
export type ScenarioName = OutcomeId | GatewayOutcome | ShippedScenario

/** Any name that is not that of an outcome: whether there is such a scenario is known when it is switched on. */
type OtherScenario<Name extends string> = Name extends `${string}:${number}` | `${OperationId | 'gateway'}:${string}`
  ? OutcomeId | GatewayOutcome
  : Name

/** Which exchanges of a journal are wanted; what is left out does not matter. */
export interface RequestFilter {
  readonly operation?: OperationId
  /** The status of the answer. */
  readonly status?: number
  /** Whether no operation matched. */
  readonly unmatched?: boolean
}

/** The scenarios of a world. */
interface ScenarioHandle<P extends Place> {
  /**
   * Switches a scenario on, or an outcome: from now on, every call of that operation gets it.
   * @example world.scenarios.activate('addOrganizationMember:409')
   * @throws {InvalidOption} for an unknown one
   */
  activate(name: ScenarioName): Given<P, void>
  activate<Name extends string>(name: OtherScenario<Name>): Given<P, void>
  /**
   * Switches a scenario off.
   * @throws {InvalidOption} for an unknown one
   */
  deactivate(name: ScenarioName): Given<P, void>
  deactivate<Name extends string>(name: OtherScenario<Name>): Given<P, void>
  /**
   * Defines a scenario in this world, or replaces it, by what a scenario file would hold. It is not switched on unless
   * `active` says so, and ends with the world's reset.
   * @example await world.scenarios.define('slow', { rules: [{ on: '*', answer: { delay: 500 } }], active: true })
   * @throws {InvalidFiles} with every complaint
   */
  define(name: string, definition: ScenarioDefinition): Promise<void>
  /**
   * Removes a scenario that was defined here; one that it hid shows again.
   * @throws {InvalidOption} where none of this name was
   */
  remove(name: string): Given<P, void>
  /** The names of those that are on. */
  active(): Given<P, readonly string[]>
  /** Restarts every scenario: its state is `Started`, no rule is spent. What is on stays on. */
  reset(): Given<P, void>
}

/** The mails that a world has sent. */
interface OutboxHandle<P extends Place> {
  /** All mails, or those to an address (in any letter case), oldest first. */
  messages(filter?: { readonly to?: string }): Given<P, readonly Message[]>
  /**
   * Resolves with the newest mail, as soon as there is one; `timeout` is in milliseconds, by default 5,000.
   * @example const { links } = await world.outbox.waitFor({ to: 'ada@example.test' })
   * @throws {Error} where there is none when the time is over
   */
  waitFor(filter?: { readonly to?: string; readonly timeout?: number }): Promise<Message>
}

/** The invitations of a world. */
interface InvitationHandle<P extends Place> {
  all(): Given<P, readonly Invitation[]>
  /**
   * Accepts the pending invitation to an address: the invitee is a member from now on.
   * @throws {Error} where there is none
   */
  accept(email: string): Promise<Invitation>
  /**
   * Declines the pending invitation to an address.
   * @throws {Error} where there is none
   */
  decline(email: string): Promise<Invitation>
}

/** The clock of a world. */
interface ClockHandle<P extends Place> {
  now(): Given<P, Date>
  /**
   * Sets the time, as a Date or in ISO 8601; it stands still there, unless `frozen` is false.
   * @throws {RangeError} for one that is none, or not from 1970 to 9999
   */
  set(now: Date | string, frozen?: boolean): Given<P, void>
  /**
   * Moves the time on, in milliseconds; a frozen clock stays frozen.
   * @throws {RangeError} beyond the year 9999
   */
  advance(ms: number): Given<P, void>
}

/** The state of a world, in the fixtures format. */
interface StateHandle<P extends Place> {
  get(): Given<P, Fixtures>
  /**
   * Replaces the whole state.
   * @throws {InvalidFiles} where it is not in the fixtures format
   */
  set(fixtures: Fixtures): Promise<void>
  /**
   * Puts whole records over those that are there, by their keys.
   * @throws {InvalidFiles} where they do not fit
   */
  patch(fixtures: Fixtures): Promise<void>
}

/** One world of a server, the root or a sandbox: what a test may ask of it and do to it. */
interface WorldHandle<P extends Place> {
  /** The base URL that a client of this world is given, such as `http://127.0.0.1:4010/~worker-3`. */
  readonly url: string
  /** The first user's token; empty where the fixtures have no users. */
  readonly token: string
  readonly scenarios: ScenarioHandle<P>
  readonly outbox: OutboxHandle<P>
  readonly invitations: InvitationHandle<P>
  readonly clock: ClockHandle<P>
  readonly state: StateHandle<P>
  /**
   * Calls this world as `fetch` would: a path from `/`, a URL of this mock, or any other URL, whose path is kept. In
   * process there is no socket; a fault rejects as it does with `fetch`.
   * @example const response = await world.fetch('/api/v2/credits/histories?page=1', { headers })
   * @throws {TypeError} where the connection fails, or what is given is no URL
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * The journal, newest first.
   * @example world.requests({ operation: 'verifyDocument', status: 422 })
   * @throws {InvalidOption} for an unknown operation
   */
  requests(filter?: RequestFilter): Given<P, readonly ExchangeEntry[]>
  /** Which of the declared outcomes were met. */
  coverage(): Given<P, Coverage>
  /** Calls back with each exchange as it ends, until the returned function is called. */
  on(event: 'exchange', listener: (exchange: ExchangeEntry) => void): Given<P, () => void>
  /** Starts over: seeded state, empty journal and outbox, scenarios and clock as at the start. */
  reset(): Given<P, void>
}

/** A server: its root world, and its sandboxes. */
interface ServerHandle<P extends Place> extends WorldHandle<P>, AsyncDisposable {
  /** The admin API of this world, such as `http://127.0.0.1:4010/__admin`. */
  readonly adminUrl: string
  /**
   * The sandbox of a name: a world of its own, made on first use.
   * @example const world = mock.sandbox('worker-3')
   * @throws {InvalidOption} for a name that is not 1 to 64 letters, digits, dots, hyphens and underscores
   */
  sandbox(name: string): Given<P, WorldHandle<P>>
  /** In this process: ends the server. From elsewhere: ends what listens to it; the server goes on. */
  close(): Promise<void>
}

/** One world of a server in this process. */
export type MockWorld = WorldHandle<'here'>
/** A server in this process; also its root world. */
export type MockServer = ServerHandle<'here'>
/** One world of a server elsewhere. */
export type ConnectedWorld = WorldHandle<'elsewhere'>
/** A server elsewhere, or one of its sandboxes. */
export type ConnectedServer = ServerHandle<'elsewhere'>
