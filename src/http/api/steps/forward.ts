import type { FastifyInstance } from 'fastify'
import type { Timeouts } from '../../../provider/forward/client.js'
import { announcesBody, receiveBody } from '../../body.js'
import type { Forwarder } from '../forward/forwarder.js'
import { PassingBody } from '../forward/passing-body.js'
import type { Step, StepContext } from '../step-context.js'
import { noteToken } from './authenticate.js'
import { readBody, readUrl } from './read-request.js'

/** A step for calls that a provider answers. */
export function forwarded(step: Step): Step {
  return (context) => (context.world.settings.provider === undefined ? undefined : step(context))
}

/**
 * Notes the caller, without asking for a user: the provider knows its own. Where some rule looks at the body, it is read
 * before any of it is forwarded.
 */
export const readAhead: Step = (context) => {
  const { request, world, contract, preferences } = context
  noteToken(context)
  readUrl(context)
  if (!world.playback.readsBody(contract.id, preferences?.scenario) || !announcesBody(request.raw)) return undefined
  return receiveAndRead(context)
}

async function receiveAndRead(context: StepContext): Promise<undefined> {
  const { request, world } = context
  request.bytes = await receiveBody(request.raw, world.settings.bodyLimit)
  await readBody(context)
}

/**
 * The provider answers. With `--fallback`, the mock does while the provider cannot be reached: the steps that follow do.
 */
export const forward: Step = (context) => {
  // What becomes of the body while the forwarder is loaded is noticed, too.
  const body = new PassingBody(context)
  return context.request.server.forwarder().then((forwarder) => forwarder.forward(context, body))
}

/** Gives a scope what forwards, which is loaded with the first request that needs it. */
export function lendForwarder(scope: FastifyInstance, timeouts: Timeouts | undefined): void {
  let loading: Promise<Forwarder> | undefined
  scope.decorate('forwarder', () => {
    loading ??= import('../forward/forwarder.js').then(({ Forwarder }) => new Forwarder(timeouts))
    return loading
  })
  scope.addHook('onClose', async () => {
    await (await loading)?.close()
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    forwarder(): Promise<Forwarder>
  }
}
