import { MessagePort } from 'node:worker_threads'
import type { AdminClient } from './admin-client.js'
import type { PlainRequest } from './plain-request.js'

let undici: ReturnType<typeof loadUndici> | undefined

/** By the bundled undici, which nothing intercepts. @throws {TypeError} if the connection fails */
export async function fetchBy(client: AdminClient, url: string, request: PlainRequest): Promise<Response> {
  undici ??= loadUndici()
  const { Agent, fetch } = await undici
  const dispatcher = new Agent({
    // Idle connections would delay the server's close; with 0, undici breaks on unread bodies.
    keepAliveTimeout: 1,
    connect: ({ protocol, host }, done) => {
      client.connect(new URL(`${protocol}//${host}`)).then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      )
    },
  })
  return fetch(url, { ...request, signal: follow(request.signal), duplex: 'half', dispatcher })
}

/** undici takes no other class's signal. */
function follow(signal: AbortSignal | null | undefined): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return controller.signal
}

async function loadUndici() {
  // undici needs these, and Jest's jsdom lacks them.
  if (!('MessagePort' in globalThis)) Object.assign(globalThis, { MessagePort })
  if (!('markResourceTiming' in performance)) Object.assign(performance, { markResourceTiming: () => {} })
  const dispatchers = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`))
  const before = dispatchers.map((dispatcher) => Reflect.get(globalThis, dispatcher))
  const [{ default: Agent }, { default: web }] = await Promise.all([
    import('undici/lib/dispatcher/agent.js'),
    import('undici/lib/web/fetch/index.js'),
  ])
  // undici replaces the agent of Node's fetch.
  for (const [at, dispatcher] of dispatchers.entries()) Reflect.set(globalThis, dispatcher, before[at])
  return { Agent, fetch: web.fetch }
}
