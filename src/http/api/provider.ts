import type { FastifyInstance } from 'fastify'
import type { Timeouts } from '../../provider/client.js'
import type { Asked, Call } from './call.js'
import type { Forwarder } from './forward/forwarder.js'

/** The forwarder is loaded with the first call. */
export function connectProvider(scope: FastifyInstance, timeouts: Timeouts | undefined): void {
  let loading: Promise<Forwarder> | undefined
  scope.decorate('askProvider', async (call: Call) => {
    loading ??= import('./forward/forwarder.js').then(({ Forwarder }) => new Forwarder(timeouts))
    return (await loading).ask(call)
  })
  scope.addHook('onClose', async () => {
    await (await loading)?.close()
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** @throws {Problem} if there is no answer, unless the mock answers in its place */
    askProvider(call: Call): Promise<Asked>
  }
}
