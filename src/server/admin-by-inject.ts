import { IN_PROCESS } from '../http/admin/guard.js'
import type { Transport } from './admin-api.js'
import type { Server } from './create-server.js'

/** Reaches the admin API of a server in this process, wherever it listens and whatever token it asks for. */
export function byInject({ app, closed, close }: Server): Transport {
  /** Does some work that ends with the server. */
  const whileOpen = async <T>(work: (signal: AbortSignal) => Promise<T>, ending = new AbortController()) => {
    const end = () => ending.abort()
    closed.addEventListener('abort', end)
    try {
      return await work(ending.signal)
    } catch (error) {
      throw closed.aborted ? new Error('The server was closed.', { cause: error }) : error
    } finally {
      closed.removeEventListener('abort', end)
    }
  }
  return {
    call: (api, path, { body, ...init }) =>
      whileOpen(async (signal) => {
        const call = { ...init, url: `${api}${path}`, payload: body, remoteAddress: IN_PROCESS, signal }
        const { statusCode, payload } = await app.inject(call)
        return { status: statusCode, text: payload }
      }),
    listen: (api) =>
      whileOpen(async () => {
        const ending = new AbortController()
        const end = () => {
          closed.removeEventListener('abort', end)
          ending.abort()
        }
        closed.addEventListener('abort', end)
        const { signal } = ending
        const call = { url: `${api}/events`, payloadAsStream: true, remoteAddress: IN_PROCESS, signal }
        const response = await app.inject(call)
        return { texts: response.stream().setEncoding('utf8'), end }
      }),
    close,
  }
}
