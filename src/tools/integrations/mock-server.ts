import type { ExchangeEntry } from '../../engine/journal/entry.js'
import type { Message } from '../../engine/sandbox/mail/outbox.js'
import type { Coverage } from '../report/report.js'
import type { AdminApi } from './admin-api.js'

/** An API's names and records, as types of its handles. */
export interface HandleTypes {
  readonly operation: string
  /** With a status that the operation declares. */
  readonly outcome: string
  /** An outcome, a gateway status or a shipped scenario. */
  readonly scenario: string
  readonly definition: { readonly description?: string }
  readonly fixtures: object
  /** Records with their key and the changed fields. */
  readonly patch: object
  readonly message: Message
  /** Properties that only handles of this API have. */
  readonly extras: object
}

/** The part of a handle that an API adds. */
export interface HandlePart<T extends HandleTypes> {
  /** The first user's; empty without users. */
  firstToken(admin: AdminApi): Promise<string>
  extras(admin: AdminApi): T['extras']
}

/** Checked when it is switched on, unless it looks like an outcome. */
type OtherScenario<T extends HandleTypes, Name extends string> = Name extends
  | `${string}:${number}`
  | `${T['operation'] | 'gateway'}:${string}`
  ? T['scenario']
  : Name

/** Selects exchanges by each property that you set. */
export interface ExchangeFilter<Operation extends string> {
  /** The operation that was called. */
  readonly operation?: Operation
  /** The status of the answer. */
  readonly status?: number
  /** True for requests that match no operation, false for the others. */
  readonly unmatched?: boolean
  /** Words that must all be in the exchange, in any letter case. */
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
  /** The header that chooses this sandbox at the server's own base URL; empty for the root. */
  readonly headers: Readonly<Record<string, string>>
  /** A token that chooses this sandbox at any base URL, such as `TOKEN~worker-3`. */
  readonly ownToken: string
  /** The scenarios and outcomes of this sandbox. */
  readonly scenarios: {
    /**
     * Switches on a scenario or an outcome. While an outcome is on, every call of its operation gets it.
     * @example await sandbox.scenarios.activate('gateway:503')
     * @throws {InvalidOption} if the scenario does not exist
     */
    readonly activate: SwitchScenario<T>
    /** Switches off a scenario or an outcome. @throws {InvalidOption} if it does not exist */
    readonly deactivate: SwitchScenario<T>
    /**
     * Defines or replaces a scenario until the next reset; a new one is off unless `active` is true.
     * @example await sandbox.scenarios.define('slow', { rules: [{ on: '*', answer: { delay: 500 } }], active: true })
     * @throws {InvalidFiles} with every complaint, if the definition is invalid
     */
    define(name: string, definition: T['definition']): Promise<void>
    /** Removes a defined scenario. @throws {InvalidOption} if `define` created no scenario of this name */
    remove(name: string): Promise<void>
    /** Returns the names of active scenarios. */
    active(): Promise<readonly string[]>
    /** Restarts a scenario, or all; active scenarios stay on. @throws {InvalidOption} if it does not exist */
    reset(name?: string): Promise<void>
  }
  /** The mails that this sandbox has sent. */
  readonly outbox: {
    /** Returns all mails, or those to an address in any letter case, oldest first. */
    messages(filter?: { readonly to?: string }): Promise<readonly T['message'][]>
    /**
     * Waits for a mail, by default 5,000 milliseconds and at most 120,000; resolves with the newest mail.
     * @example const { links } = await sandbox.outbox.waitFor({ to: 'ada@example.test' })
     * @throws {Error} if no mail arrives in time
     */
    waitFor(filter?: { readonly to?: string; readonly timeout?: number }): Promise<T['message']>
    /** Removes a mail by its id. @throws {InvalidOption} if there is no such mail */
    remove(id: string): Promise<void>
  }
  /** The clock of this sandbox. */
  readonly clock: {
    /** Returns the sandbox's time. */
    now(): Promise<Date>
    /**
     * Sets the time, as a Date, ISO 8601 with `Z` or an offset, or a date alone; freezes it unless `frozen` is false.
     * @example await sandbox.clock.set('2026-01-15T09:30:00Z')
     * @throws {RangeError} if the time is invalid, or not from 1970 to 9999
     */
    set(now: Date | string, frozen?: boolean): Promise<void>
    /** Advances the clock by milliseconds. @throws {RangeError} for a time after the year 9999 */
    advance(ms: number): Promise<void>
  }
  /** The records of this sandbox, in the fixtures format. */
  readonly state: {
    /** Returns a list of records for each collection. */
    get(): Promise<T['fixtures']>
    /** Replaces the whole state. @throws {InvalidFiles} if the new state is invalid */
    set(fixtures: T['fixtures']): Promise<void>
    /**
     * Changes single fields of records, and adds new records; null removes an optional field.
     * @throws {InvalidFiles} if the records are invalid or contradict the state
     */
    patch(records: T['patch']): Promise<void>
    /**
     * Removes a record by its key. A key of several fields is their values, joined by `/`.
     * @throws {InvalidOption} if there is no such record, or others refer to it
     */
    remove(collection: Exclude<keyof T['fixtures'] & string, NonCollection>, key: string | number): Promise<void>
  }
  /**
   * Calls this sandbox with the package's own `fetch`, by a path or a URL, whose host is replaced by this sandbox.
   * @example const response = await sandbox.fetch(`${path}?page=1`, { headers })
   * @throws {TypeError} if the connection fails or the URL is invalid
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Returns the exchanges of the journal, newest first.
   * @example await sandbox.requests({ status: 422 })
   * @throws {InvalidOption} if the filter has another key, or an unknown operation
   */
  requests(filter?: ExchangeFilter<T['operation']>): Promise<readonly ExchangeEntry[]>
  /**
   * Expects an outcome once, or up to 1,000 times: the violations behind it are not counted.
   * @example await sandbox.expect('OPERATION:403')
   * @throws {InvalidOption} if the operation does not declare the outcome, or `times` is invalid
   */
  expect(outcome: T['outcome'], times?: number | { readonly times?: number }): Promise<void>
  /** Returns which declared outcomes were met. */
  coverage(): Promise<Coverage>
  /** Calls the listener with each exchange that ends, until you call the returned function. */
  on(event: 'exchange', listener: (exchange: ExchangeEntry) => void): Promise<() => void>
  /**
   * Resets state, journal, outbox, scenarios and clock; `countersign exec` reports mistakes by the `title` of the test.
   * @example beforeEach((t) => sandbox.reset({ title: t.fullName }))
   */
  reset(options?: { readonly title?: string; readonly file?: string }): Promise<void>
}

/** Keys that are no collections. */
type NonCollection = '$schema' | 'version' | 'extends' | 'without' | 'counters'

export interface ServerControl<Sandbox> extends AsyncDisposable {
  /** The base URL of the admin API, such as `http://127.0.0.1:4010/__admin`. */
  readonly adminUrl: string
  /**
   * Returns the sandbox with a name, which is created on first use.
   * @example const sandbox = await mock.sandbox('worker-3')
   * @throws {InvalidOption} if the name is not 1 to 64 letters, digits, dots, hyphens and underscores
   */
  sandbox(name: string): Promise<Sandbox>
  /** Stops the server, or ends the calls of a handle from `connect`. */
  close(): Promise<void>
}

export type ApiSandbox<T extends HandleTypes> = SandboxHandle<T> & T['extras']

/** A server in this process or elsewhere. */
export type ApiServer<T extends HandleTypes> = ApiSandbox<T> & ServerControl<ApiSandbox<T>>
