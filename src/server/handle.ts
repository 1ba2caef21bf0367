import type { Fixtures, Invitation } from '../../schemas/plain.js'
import type { Coverage } from '../coverage/coverage.js'
import { InvalidFiles } from '../text/invalid-files.js'
import { requireClockTime } from '../world/clock.js'
import type { ExchangeEntry } from '../world/journal/entry.js'
import type { Message } from '../world/mail/outbox.js'
import { AdminApi, Refusal, type Transport } from './admin-api.js'
import { originalFetch, requestTo } from './fetch-target.js'
import {
  noMail,
  noPendingInvitation,
  requireListener,
  requireMilliseconds,
  requireSandboxName,
  requireText,
  timeOf,
} from './handle-rules.js'
import { InvalidOption } from './invalid-option.js'
import type { MockServer, MockWorld } from './world-handle.js'

/** A server, and how it is reached. */
export interface Reached {
  readonly transport: Transport
  /** The server's base URL. */
  readonly serverUrl: string
  /** What its links begin with, if it is behind a proxy. */
  readonly publicUrl?: string
}

/** How long to wait for a mail by default, and at most in one call, in milliseconds. */
const WAIT = 5_000
const LONGEST_WAIT = 60_000

/** The handle of a world: all that it does is calls to the world's admin API. Its members need no `this`. */
export class WorldHandle implements MockWorld {
  readonly url: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
  readonly ownToken: string
  readonly #api: AdminApi
  readonly #reached: Reached

  /** `sandbox` is null for the root, and `token` the first user's. */
  constructor(reached: Reached, sandbox: string | null, token: string) {
    this.#reached = reached
    this.#api = apiOf(reached, sandbox)
    this.url = this.#api.url.replace(/\/__admin$/, '')
    this.token = token
    this.headers = sandbox === null ? {} : { 'x-mock-sandbox': sandbox }
    this.ownToken = sandbox === null || token === '' ? token : `${token}~${sandbox}`
  }

  readonly scenarios: MockWorld['scenarios'] = {
    activate: (name: string) => this.#switch(name, true),
    deactivate: (name: string) => this.#switch(name, false),
    // Without rules it would be a switch; what is no definition is for the server to refuse.
    define: (name, definition) =>
      refusedAsFiles(name, () =>
        this.#api.send('PUT', scenario(name), { ...definition, description: definition?.description ?? '' }),
      ),
    remove: (name) => refusedAsOption(() => this.#api.send('DELETE', scenario(name))),
    active: async () => (await this.#api.get<{ meta: { active: string[] } }>('/scenarios')).meta.active,
    reset: (name) =>
      refusedAsOption(() => this.#api.send('POST', `${name === undefined ? '/scenarios' : scenario(name)}/reset`)),
  }

  readonly outbox: MockWorld['outbox'] = {
    messages: ({ to } = {}) => this.#messages({ to }),
    waitFor: async ({ to, timeout = WAIT } = {}) => {
      if (to !== undefined) requireText('to', to)
      const end = performance.now() + requireMilliseconds(timeout)
      for (;;) {
        const left = Math.max(0, Math.round(end - performance.now()))
        const newest = (await this.#messages({ to, wait: Math.min(left, LONGEST_WAIT) })).at(-1)
        if (newest !== undefined) return newest
        if (left <= LONGEST_WAIT) throw noMail(to, timeout)
      }
    },
    remove: (id) => refusedAsOption(() => this.#api.send('DELETE', `/outbox/${encodeURIComponent(id)}`)),
  }

  readonly invitations: MockWorld['invitations'] = {
    all: async () => (await this.#api.get<Fixtures>('/state', { collection: 'invitations' })).invitations ?? [],
    accept: (email) => this.#answer(email, 'accept'),
    decline: (email) => this.#answer(email, 'decline'),
  }

  readonly clock: MockWorld['clock'] = {
    now: async () => new Date((await this.#api.get<{ now: string }>('/clock')).now),
    set: async (now, frozen = true) =>
      this.#setClock({ now: new Date(requireClockTime(timeOf(now))).toISOString(), frozen }),
    advance: async (ms) => this.#setClock({ advance: requireMilliseconds(ms) }),
  }

  readonly state: MockWorld['state'] = {
    get: () => this.#api.get('/state'),
    set: (fixtures) => refusedAsFiles('state', () => this.#api.send('PUT', '/state', fixtures)),
    patch: (fixtures) => refusedAsFiles('state', () => this.#api.send('PATCH', '/state', fixtures)),
    remove: (collection, key) =>
      refusedAsOption(() => this.#api.send('DELETE', `/state/${collection}/${encodeURIComponent(key)}`)),
  }

  readonly fetch: MockWorld['fetch'] = async (input, init) =>
    originalFetch(requestTo({ ...this.#reached, url: this.url }, input, init))

  readonly requests: MockWorld['requests'] = async ({ operation, status, unmatched, search } = {}) => {
    const query = { operation, status, unmatched, search }
    const answer = this.#api.get<{ requests: ExchangeEntry[] }>('/requests', query)
    return (await answer.catch(asOption)).requests
  }

  readonly coverage: MockWorld['coverage'] = () => this.#api.get<Coverage>('/coverage')

  readonly on: MockWorld['on'] = async (event, listener) => this.#api.listen(requireListener(event, listener))

  readonly reset: MockWorld['reset'] = async (options) => {
    await refusedAsOption(() => this.#api.send('POST', '/reset', options))
  }

  #switch(name: string, active: boolean): Promise<void> {
    return refusedAsOption(() => this.#api.send('PUT', scenario(name), { active }))
  }

  async #messages(query: { to?: string; wait?: number }): Promise<readonly Message[]> {
    return (await this.#api.get<{ messages: Message[] }>('/outbox', query)).messages
  }

  async #answer(email: string, event: 'accept' | 'decline'): Promise<Invitation> {
    const pending = (await this.invitations.all()).find(
      (one) => one.status === 'pending' && one.email.toLowerCase() === email.toLowerCase(),
    )
    if (pending === undefined) throw noPendingInvitation(email)
    return { ...pending, ...(await this.#api.send<Partial<Invitation>>('POST', `/invitations/${pending.id}/${event}`)) }
  }

  async #setClock(setting: object): Promise<void> {
    await this.#api.send('PUT', '/clock', setting).catch(refusedAs(({ message }) => new RangeError(message)))
  }
}

/** The handle of a server, which is that of its root world, or of the sandbox at whose address it was reached. */
export class ServerHandle extends WorldHandle implements MockServer {
  readonly adminUrl: string
  readonly sandbox: MockServer['sandbox']
  readonly close: MockServer['close']

  constructor(reached: Reached, sandbox: string | null, token: string) {
    super(reached, sandbox, token)
    this.adminUrl = `${this.url}/__admin`
    this.sandbox = async (name) => new WorldHandle(reached, requireSandboxName(name), await firstToken(reached, name))
    this.close = () => reached.transport.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** The handle of a server that answers. */
  static async of(reached: Reached, sandbox: string | null = null): Promise<MockServer> {
    return new ServerHandle(reached, sandbox, await firstToken(reached, sandbox))
  }
}

/** The admin API of a world. */
export function apiOf({ transport, serverUrl }: Reached, sandbox: string | null): AdminApi {
  return new AdminApi(`${serverUrl}${sandbox === null ? '' : `/~${sandbox}`}/__admin`, transport)
}

async function firstToken(reached: Reached, sandbox: string | null): Promise<string> {
  const { users = [] } = await apiOf(reached, sandbox).get<Fixtures>('/state', { collection: 'users' })
  return users[0]?.token ?? ''
}

function scenario(name: string): string {
  return `/scenarios/${encodeURIComponent(requireText('The name of a scenario', name))}`
}

/** Throws another error for a refusal. */
function refusedAs(make: (refusal: Refusal) => Error): (error: unknown) => never {
  return (error) => {
    throw error instanceof Refusal && error.status < 500 ? make(error) : error
  }
}

/** A refusal as the error for what cannot be asked. */
export const asOption = refusedAs(({ message }) => new InvalidOption(message))

async function refusedAsOption(work: () => Promise<unknown>): Promise<void> {
  await work().catch(asOption)
}

async function refusedAsFiles(file: string, work: () => Promise<unknown>): Promise<void> {
  const asComplaints = ({ message, complaints }: Refusal) =>
    complaints === undefined
      ? new InvalidOption(message)
      : new InvalidFiles(complaints.map(({ path, ...complaint }) => ({ file, path, ...complaint })))
  await work().catch(refusedAs(asComplaints))
}
