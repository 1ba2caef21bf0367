import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Worlds } from '../world/worlds.js'

/** Clients that wait for `100 Continue` before they send their body, by their requests. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Has a client that expects `100 Continue` get it at once, as Node would; with a provider, it gets it when its body is
 * read, or when the provider says so.
 */
export function holdContinue({ server }: FastifyInstance, worlds: Worlds): void {
  server.on('checkContinue', (request, response) => {
    if (worlds.shared.settings.provider === undefined) response.writeContinue()
    else waiting.set(request, response)
    server.emit('request', request, response)
  })
}

/** Has a client send its body, if it waits for that. */
export function invite(request: IncomingMessage): void {
  const response = waiting.get(request)
  if (response === undefined) return
  waiting.delete(request)
  response.writeContinue()
}

/** Whether a client waits for `100 Continue`. */
export function isWaiting(request: IncomingMessage): boolean {
  return waiting.has(request)
}
