import type { Fixtures, Invitation } from '../../../schemas/plain.js'
import type { Coverage } from '../../coverage/coverage.js'
import { originalFetch, requestTo } from '../../server/fetch-target.js'
import {
  headersOf,
  noMail,
  noPendingInvitation,
  ownTokenOf,
  requireListener,
  requireMilliseconds,
  requireText,
  timeOf,
  WAIT,
} from '../../server/handle-rules.js'
import type { ConnectedWorld } from '../../server/world-handle.js'
import { requireClockTime } from '../../world/clock.js'
import type { ExchangeEntry } from '../../world/journal/entry.js'
import type { Message } from '../../world/mail/outbox.js'
import type { AdminApi } from './admin-api.js'
import { listenTo } from './exchange-events.js'
import { asFiles, asOption, asRange } from './refused-as.js'

/** What a handle knows about its world. */
export interface Known {
  /** The world's base URL. */
  readonly url: string
  readonly serverUrl: string
  /** The base URL of its links, if the server is behind a proxy. */
  readonly publicUrl?: string
  readonly token: string
  /** Collects the functions that end the listeners. */
  readonly listening: Set<() => void>
}

/** The longest wait for the outbox in one call, in milliseconds. */
const LONGEST_WAIT = 60_000

/** Creates the handle to a world behind an admin API. */
export function connectedWorld(api: AdminApi, { url, serverUrl, publicUrl, token, listening }: Known): ConnectedWorld {
  const sandbox = url.slice(serverUrl.length).replace('/~', '') || null
  const scenario = (name: string) => `/scenarios/${encodeURIComponent(requireText('The name of a scenario', name))}`
  const switched = (name: string, active: boolean) =>
    asOption(async () => void (await api.send('PUT', scenario(name), { active })))
  const messages = async (query: { to?: string; wait?: number }) =>
    (await api.get<{ messages: Message[] }>('/outbox', query)).messages
  const state = () => api.get<Fixtures>('/state')
  const setClock = (setting: object) => asRange(async () => void (await api.send('PUT', '/clock', setting)))
  return {
    url,
    token,
    headers: headersOf(sandbox),
    ownToken: ownTokenOf(sandbox, token),
    scenarios: {
      activate: (name: string) => switched(name, true),
      deactivate: (name: string) => switched(name, false),
      // Without rules it would be a switch; what is no definition is for the server to refuse.
      define: (name, definition) =>
        asFiles(
          name,
          async () =>
            void (await api.send('PUT', scenario(name), { ...definition, description: definition?.description ?? '' })),
        ),
      remove: (name) => asOption(async () => void (await api.send('DELETE', scenario(name)))),
      active: async () => (await api.get<{ meta: { active: string[] } }>('/scenarios')).meta.active,
      reset: (name) =>
        asOption(
          async () => void (await api.send('POST', `${name === undefined ? '/scenarios' : scenario(name)}/reset`)),
        ),
    },
    outbox: {
      messages: ({ to } = {}) => messages({ to }),
      waitFor: async ({ to, timeout = WAIT } = {}) => {
        const end = performance.now() + requireMilliseconds(timeout)
        for (;;) {
          const left = Math.max(0, Math.round(end - performance.now()))
          const newest = (await messages({ to, wait: Math.min(left, LONGEST_WAIT) })).at(-1)
          if (newest !== undefined) return newest
          if (left <= LONGEST_WAIT) throw noMail(to, timeout)
        }
      },
      remove: (id) => asOption(async () => void (await api.send('DELETE', `/outbox/${encodeURIComponent(id)}`))),
    },
    invitations: {
      all: () => invitations(api),
      accept: (email) => respond(api, email, 'accept'),
      decline: (email) => respond(api, email, 'decline'),
    },
    clock: {
      now: async () => new Date((await api.get<{ now: string }>('/clock')).now),
      set: async (now, frozen = true) =>
        setClock({ now: new Date(requireClockTime(timeOf(now))).toISOString(), frozen }),
      advance: async (ms) => setClock({ advance: requireMilliseconds(ms) }),
    },
    state: {
      get: state,
      set: (fixtures) => asFiles('state', async () => void (await api.send('PUT', '/state', fixtures))),
      patch: (fixtures) => asFiles('state', async () => void (await api.send('PATCH', '/state', fixtures))),
      remove: (collection, key) =>
        asOption(async () => void (await api.send('DELETE', `/state/${collection}/${encodeURIComponent(key)}`))),
    },
    fetch: async (input, init) => originalFetch(requestTo({ url, serverUrl, publicUrl }, input, init)),
    requests: ({ operation, status, unmatched, search } = {}) =>
      asOption(
        async () =>
          (await api.get<{ requests: ExchangeEntry[] }>('/requests', { operation, status, unmatched, search }))
            .requests,
      ),
    coverage: () => api.get<Coverage>('/coverage'),
    on: async (event, listener) => {
      const end = await listenTo(api, requireListener(event, listener))
      listening.add(end)
      return () => {
        listening.delete(end)
        end()
      }
    },
    reset: async () => void (await api.send('POST', '/reset')),
  }
}

async function invitations(api: AdminApi): Promise<readonly Invitation[]> {
  return (await api.get<Fixtures>('/state', { collection: 'invitations' })).invitations ?? []
}

async function respond(api: AdminApi, email: string, event: 'accept' | 'decline'): Promise<Invitation> {
  const pending = (await invitations(api)).find(
    (one) => one.status === 'pending' && one.email.toLowerCase() === email.toLowerCase(),
  )
  if (pending === undefined) throw noPendingInvitation(email)
  return { ...pending, ...(await api.send<Partial<Invitation>>('POST', `/invitations/${pending.id}/${event}`)) }
}
