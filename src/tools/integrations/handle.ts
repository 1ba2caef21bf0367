import { SANDBOX_NAME } from '../../engine/contract/sandbox-name.js'
import { TIME, timeOf } from '../../engine/contract/time.js'
import { quote } from '../../engine/contract/wording.js'
import { InvalidOption } from '../../engine/files/invalid-option.js'
import type { ExchangeEntry } from '../../engine/journal/entry.js'
import { LONGEST_WAIT } from '../../engine/sandbox/mail/outbox.js'
import type { Coverage } from '../report/report.js'
import { AdminApi, type AdminClient } from './admin-api.js'
import { fetchVia, isRequest, plainRequest, resolveUrl, type ServerAddress } from './fetch.js'
import type { ApiSandbox, ApiServer, HandlePart, HandleTypes, SandboxHandle } from './mock-server.js'

export interface ServerAccess<T extends HandleTypes> extends ServerAddress {
  readonly client: AdminClient
  readonly part: HandlePart<T>
}

/** Milliseconds. */
const DEFAULT_WAIT = 5_000

/** The handle of a server is also the handle of its root, or of `sandbox`. */
export async function serverHandle<T extends HandleTypes>(
  access: ServerAccess<T>,
  close: () => Promise<void>,
  sandbox: string | null = null,
): Promise<ApiServer<T>> {
  const handle = sandboxHandle(access, sandbox, await firstToken(access, sandbox))
  return {
    ...handle,
    adminUrl: `${handle.url}/__admin`,
    sandbox: async (name) => sandboxHandle(access, requireSandboxName(name), await firstToken(access, name)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** `token` is the first user's. */
export function sandboxHandle<T extends HandleTypes>(
  access: ServerAccess<T>,
  sandbox: string | null,
  token: string,
): ApiSandbox<T> {
  const api = apiOf(access, sandbox)
  const url = api.url.replace(/\/__admin$/, '')
  const scenarioPath = (name: string) => `/scenarios/${encodeURIComponent(name)}`
  const setActive = async (name: string, active: boolean) => api.send<void>('PUT', scenarioPath(name), { active })
  const messages = async (query: { to?: string; wait?: number }) =>
    (await api.get<{ messages: T['message'][] }>('/outbox', query)).messages
  const setClock = async (setting: object) => {
    await api.send('PUT', '/clock', setting).catch((error) => {
      throw error instanceof InvalidOption ? new RangeError(error.message) : error
    })
  }
  const handle: SandboxHandle<T> = {
    url,
    token,
    headers: sandbox === null ? {} : { 'x-mock-sandbox': sandbox },
    ownToken: sandbox === null || token === '' ? token : `${token}~${sandbox}`,
    scenarios: {
      activate: (name: string) => setActive(name, true),
      deactivate: (name: string) => setActive(name, false),
      // The description distinguishes a definition without rules from a change of `active`.
      define: async (name, definition) =>
        api.send('PUT', scenarioPath(name), { ...definition, description: definition?.description ?? '' }, name),
      remove: async (name) => api.send('DELETE', scenarioPath(name)),
      active: async () => (await api.get<{ meta: { active: string[] } }>('/scenarios')).meta.active,
      reset: async (name) => api.send('POST', `${name === undefined ? '/scenarios' : scenarioPath(name)}/reset`),
    },
    outbox: {
      messages: (filter = {}) => messages(filter),
      waitFor: async ({ timeout = DEFAULT_WAIT, ...filter } = {}) => {
        const { to } = filter
        const wait = Math.min(Math.max(0, Math.round(timeout)), LONGEST_WAIT)
        const newest = (await messages({ ...filter, wait })).at(-1)
        if (newest !== undefined) return newest
        throw new Error(`No mail${to === undefined ? '' : ` to ${to}`} arrived within ${timeout} ms.`)
      },
      remove: (id) => api.send('DELETE', `/outbox/${encodeURIComponent(id)}`),
    },
    clock: {
      now: async () => new Date((await api.get<{ now: string }>('/clock')).now),
      set: async (now, frozen = true) => {
        const time = now instanceof Date ? now.getTime() : timeOf(String(now))
        if (time === undefined || Number.isNaN(time))
          throw new RangeError(`${quote(String(now))} is not a time. Pass a Date, or ${TIME}.`)
        await setClock({ now: new Date(time).toISOString(), frozen })
      },
      advance: (ms) => setClock({ advance: ms }),
    },
    state: {
      get: () => api.get('/state'),
      set: (fixtures) => api.send('PUT', '/state', fixtures, 'state'),
      patch: (fixtures) => api.send('PATCH', '/state', fixtures, 'state'),
      remove: (collection, key) => api.send('DELETE', `/state/${collection}/${encodeURIComponent(key)}`),
    },
    fetch: async (input, init) => {
      const target = resolveUrl(url, access, isRequest(input) ? input.url : String(input))
      return fetchVia(access.client, target, await plainRequest(input, init))
    },
    requests: async (filter = {}) =>
      (await api.get<{ requests: ExchangeEntry[] }>('/requests', { ...filter })).requests,
    expect: async (outcome, times = 1) => {
      const options = typeof times === 'number' ? { times } : times
      await api.send('POST', '/expectations', { outcome, ...options })
    },
    coverage: () => api.get<Coverage>('/coverage'),
    on: async (event, listener) => {
      if (event !== 'exchange') throw new InvalidOption(`There is no event ${quote(event)}. Listen to 'exchange'.`)
      if (typeof listener !== 'function')
        throw new InvalidOption(`A listener must be a function, not ${quote(listener)}.`)
      return api.listen(listener)
    },
    reset: (options) => api.send('POST', '/reset', options),
  }
  return { ...handle, ...access.part.extras(api) }
}

export function apiOf({ client, serverUrl }: Omit<ServerAccess<HandleTypes>, 'part'>, sandbox: string | null) {
  return new AdminApi(`${serverUrl}${sandbox === null ? '' : `/~${sandbox}`}/__admin`, client)
}

function firstToken<T extends HandleTypes>(access: ServerAccess<T>, sandbox: string | null): Promise<string> {
  return access.part.firstToken(apiOf(access, sandbox))
}

/** @throws {InvalidOption} for an invalid name */
export function requireSandboxName(name: string): string {
  // A name from an unset variable is not a string.
  if (typeof name === 'string' && SANDBOX_NAME.test(name)) return name
  throw new InvalidOption(
    `${quote(String(name))} is not a valid sandbox name. Use 1 to 64 letters, digits, dots, hyphens and underscores.`,
  )
}
