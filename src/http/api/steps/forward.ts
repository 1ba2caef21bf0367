import type { FastifyInstance } from 'fastify'
import type { Patience } from '../../../provider/forward/client.js'
import { announcesBody, watchBody } from '../../body.js'
import type { Forwarder } from '../forward/forward-request.js'
import type { Step } from '../step-context.js'
import { noteToken } from './authenticate.js'
import { readUrl } from './read-request.js'

/**
 * Notes the caller, without asking for a user: the provider knows its own. Where some rule looks at the body, it is read
 * before any of it is forwarded.
 */
export const readAhead: Step = (context) => {
  const { request, world, contract, preferences } = context
  noteToken(context)
  readUrl(context)
  if (!world.playback.readsBody(contract.id, preferences?.scenario)) return undefined
  if (!announcesBody(request.raw)) return undefined
  const watch = watchBody(request.raw)
  return request.server.forwarder().then((forwarder) => forwarder.readAhead(context, watch))
}

/** The provider answers; with `--fallback`, the mock does while it cannot be reached. */
export const forward: Step = (context) => {
  const { raw, server } = context.request
  const watch = context.ahead === null && announcesBody(raw) ? watchBody(raw) : undefined
  return server.forwarder().then((forwarder) => forwarder.forward(context, watch))
}

/** Gives a scope what forwards, which is loaded with the first request that needs it. */
export function lendForwarder(scope: FastifyInstance, patience: Patience | undefined): void {
  let loading: Promise<Forwarder> | undefined
  scope.decorate('forwarder', () => {
    loading ??= import('../forward/forward-request.js').then(({ Forwarder }) => new Forwarder(patience))
    return loading
  })
  scope.addHook('onClose', async () => {
    ;(await loading)?.close()
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    forwarder(): Promise<Forwarder>
  }
}
