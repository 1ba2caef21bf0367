import { MessagePort } from 'node:worker_threads'
import type { AdminClient } from './admin-client.js'
import type { PlainRequest } from './plain-request.js'

let undici: ReturnType<typeof loadUndici> | undefined

/**
 * The `fetch` of the bundled undici, over connections of a client: no environment replaces it, and nothing intercepts it.
 * @throws {TypeError} if the connection fails
 */
export async function fetchBy(client: AdminClient, url: string, request: PlainRequest): Promise<Response> {
  undici ??= loadUndici()
  const { Agent, fetch } = await undici
  const dispatcher = new Agent({
    // An idle connection would delay the server's close; with none kept alive, undici breaks on a body that is not read.
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

/** A signal of the class that undici takes. */
function follow(signal: AbortSignal | null | undefined): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return controller.signal
}

async function loadUndici() {
  // What undici names as it loads, and Jest's jsdom lacks.
  if (!('MessagePort' in globalThis)) Object.assign(globalThis, { MessagePort })
  if (!('markResourceTiming' in performance)) Object.assign(performance, { markResourceTiming: () => {} })
  const dispatchers = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`))
  const before = dispatchers.map((dispatcher) => Reflect.get(globalThis, dispatcher))
  const [{ default: Agent }, { default: web }] = await Promise.all([
    import('undici/lib/dispatcher/agent.js'),
    import('undici/lib/web/fetch/index.js'),
  ])
  // Undici makes its own agent that of Node's fetch, unless that has been used.
  for (const [at, dispatcher] of dispatchers.entries()) Reflect.set(globalThis, dispatcher, before[at])
  return { Agent, fetch: web.fetch }
}
