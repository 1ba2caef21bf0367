import type { ExchangeEntry } from '../../engine/journal/entry.js'
import type { Message } from '../../engine/sandbox/mail/outbox.js'
import type { Coverage } from '../report/outcome-coverage.js'
import type { AdminApi } from './admin-api.js'

/** The names and records of an API, as the types of its handles have them. */
export interface HandleTypes {
  /** The id of an operation. */
  readonly operation: string
  /** An operation and a status that it declares. */
  readonly outcome: string
  /** The name of an outcome, a gateway status or a shipped scenario. */
  readonly scenario: string
  readonly definition: { readonly description?: string }
  readonly fixtures: object
  /** Fixtures whose records have a key, and what changes. */
  readonly patch: object
  readonly message: Message
  /** What only the handles of this API have. */
  readonly members: object
}

/** What an API adds to the handles of its sandboxes. */
export interface HandlePart<T extends HandleTypes> {
  /** The token of the first user; empty without users. */
  firstToken(admin: AdminApi): Promise<string>
  members(admin: AdminApi): T['members']
}

/** Any name that is not an outcome's; whether the scenario exists is checked when it is switched on. */
type OtherScenario<T extends HandleTypes, Name extends string> = Name extends
  | `${string}:${number}`
  | `${T['operation'] | 'gateway'}:${string}`
  ? T['scenario']
  : Name

/** Selects exchanges of a journal; a property that is left out matches any exchange. */
export interface ExchangeFilter<Operation extends string> {
  /** The operation that was called. */
  readonly operation?: Operation
  /** The status of the answer. */
  readonly status?: number
  /** True selects the requests that match no operation, false those that match one. */
  readonly unmatched?: boolean
  /** Words that must all be found in the exchange, in its form or body too, in any letter case. */
  readonly search?: string
}

interface SwitchScenario<T extends HandleTypes> {
  (name: T['scenario']): Promise<void>
  <Name extends string>(name: OtherScenario<T, Name>): Promise<void>
}

/** One sandbox of a server, or the root. */
export interface SandboxHandle<T extends HandleTypes> {
  /** The base URL for clients of this sandbox, such as `http://127.0.0.1:4010/~worker-3`. */
  readonly url: string
  /** The token of the first user; empty if the fixtures have no users. */
  readonly token: string
  /**
   * The header that chooses this sandbox at the server's own base URL: `{ 'x-mock-sandbox': 'worker-3' }`; empty for the
   * root.
   * @example await page.context().setExtraHTTPHeaders(sandbox.headers)
   */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The token with this sandbox's name at its end, such as `TOKEN~worker-3`: a call with it is made in this sandbox, at any
   * base URL. For the root, it is `token`.
   * @example await logIn(page, sandbox.ownToken)
   */
  readonly ownToken: string
  /** Switches scenarios and outcomes on and off, and defines new scenarios. */
  readonly scenarios: {
    /**
     * Switches on a scenario or an outcome. While an outcome is on, every call of its operation gets it.
     * @example await sandbox.scenarios.activate('gateway:503')
     * @throws {InvalidOption} if the scenario does not exist
     */
    readonly activate: SwitchScenario<T>
    /**
     * Switches off a scenario or an outcome.
     * @throws {InvalidOption} if the scenario does not exist
     */
    readonly deactivate: SwitchScenario<T>
    /**
     * Defines or replaces a scenario in this sandbox, in the format of a scenario file. A new scenario is off unless
     * `active` is true. Resetting the sandbox removes it.
     * @example await sandbox.scenarios.define('slow', { rules: [{ on: '*', answer: { delay: 500 } }], active: true })
     * @throws {InvalidFiles} with every complaint, if the definition is invalid
     */
    define(name: string, definition: T['definition']): Promise<void>
    /**
     * Removes a scenario that was defined with `define`; a scenario that it replaced is available again.
     * @throws {InvalidOption} if no scenario of this name was defined
     */
    remove(name: string): Promise<void>
    /** Returns the names of the scenarios that are on. */
    active(): Promise<readonly string[]>
    /**
     * Restarts a scenario, or all of them: its state is `Started`, no rule is spent, and active scenarios stay on.
     * @throws {InvalidOption} if the scenario does not exist
     */
    reset(name?: string): Promise<void>
  }
  /** The mails that this sandbox has sent. */
  readonly outbox: {
    /** Returns all mails, or those sent to an address (in any letter case), oldest first. */
    messages(filter?: { readonly to?: string }): Promise<readonly T['message'][]>
    /**
     * Waits for a mail and resolves with the newest one. `timeout` is in milliseconds, at most 120,000; the default is
     * 5,000.
     * @example const { links } = await sandbox.outbox.waitFor({ to: 'ada@example.test' })
     * @throws {Error} if no mail arrives in time
     */
    waitFor(filter?: { readonly to?: string; readonly timeout?: number }): Promise<T['message']>
    /**
     * Removes a mail by its id.
     * @throws {InvalidOption} if there is no such mail
     */
    remove(id: string): Promise<void>
  }
  /** The clock of this sandbox. */
  readonly clock: {
    /** Returns the current time of the sandbox. */
    now(): Promise<Date>
    /**
     * Sets the time, as a Date, or an ISO 8601 string with `Z` or an offset, or a date alone. The clock is frozen at that time unless `frozen` is false.
     * @example await sandbox.clock.set('2026-01-15T09:30:00Z')
     * @throws {RangeError} if the time is invalid, or not from 1970 to 9999
     */
    set(now: Date | string, frozen?: boolean): Promise<void>
    /**
     * Advances the clock by a number of milliseconds. A frozen clock stays frozen.
     * @throws {RangeError} if the time would be after the year 9999
     */
    advance(ms: number): Promise<void>
  }
  /** The records of this sandbox, in the fixtures format. */
  readonly state: {
    /** Returns the whole state: a list of records for each collection. */
    get(): Promise<T['fixtures']>
    /**
     * Replaces the whole state.
     * @throws {InvalidFiles} if the new state is not in the fixtures format
     */
    set(fixtures: T['fixtures']): Promise<void>
    /**
     * Changes fields of records, which their keys name, and adds new records. Fields that are left out stay as they are;
     * null removes an optional one.
     * @throws {InvalidFiles} if the records are invalid or contradict the state
     */
    patch(records: T['patch']): Promise<void>
    /**
     * Removes a record by its key. A key of several fields is their values, joined by `/`.
     * @throws {InvalidOption} if there is no such record, or others refer to it
     */
    remove(collection: Exclude<keyof T['fixtures'] & string, FixturesKey>, key: string): Promise<void>
  }
  /**
   * Calls this sandbox with Node's own `fetch`. Pass a path that begins with `/`, a URL of this mock, or any other URL, of
   * which only the path is used. A fault rejects as it does with `fetch`.
   * @example const response = await sandbox.fetch(`${path}?page=1`, { headers })
   * @throws {TypeError} if the connection fails or the URL is invalid
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Returns the exchanges of the journal, newest first.
   * @example await sandbox.requests({ status: 422 })
   * @throws {InvalidOption} if the filter has another key, or names no operation
   */
  requests(filter?: ExchangeFilter<T['operation']>): Promise<readonly ExchangeEntry[]>
  /**
   * Says that the next call with this outcome is meant, or the next `times` calls (1 to 1,000): the violations that lead to
   * it are not counted, as with `Prefer: expect`. `countersign exec` reports the outcomes that never came.
   * @example await sandbox.expect('OPERATION:403')
   * @throws {InvalidOption} if the operation does not declare the outcome, or `times` is invalid
   */
  expect(outcome: T['outcome'], times?: number | { readonly times?: number }): Promise<void>
  /** Returns which of the declared outcomes were met. */
  coverage(): Promise<Coverage>
  /** Calls the listener with each exchange as it ends. Call the returned function to stop. */
  on(event: 'exchange', listener: (exchange: ExchangeEntry) => void): Promise<() => void>
  /**
   * Resets the sandbox: seeded state, empty journal and outbox, and scenarios and clock as at the start. `title` is the full
   * name of the test that begins, `file` its file: the gates of `countersign exec` name them beside what it did wrong.
   * @example beforeEach((t) => sandbox.reset({ title: t.fullName }))
   */
  reset(options?: { readonly title?: string; readonly file?: string }): Promise<void>
}

/** The keys of fixtures that are no collections. */
type FixturesKey = '$schema' | 'version' | 'extends' | 'without' | 'counters'

/** What the handle of a server has besides that of its root. */
export interface ServerControl<Sandbox> extends AsyncDisposable {
  /** The base URL of the admin API, such as `http://127.0.0.1:4010/__admin`. */
  readonly adminUrl: string
  /**
   * Returns the sandbox with a name: state, journal, mails, scenarios and clock of its own, created on first use.
   * @example const sandbox = await mock.sandbox('worker-3')
   * @throws {InvalidOption} if the name is not 1 to 64 letters, digits, dots, hyphens and underscores
   */
  sandbox(name: string): Promise<Sandbox>
  /** Stops the server; a handle from `connect` ends its own calls instead, and the server keeps running. */
  close(): Promise<void>
}

export type ApiSandbox<T extends HandleTypes> = SandboxHandle<T> & T['members']

/** A server, in this process or elsewhere: its root sandbox, and its sandboxes. */
export type ApiServer<T extends HandleTypes> = ApiSandbox<T> & ServerControl<ApiSandbox<T>>
