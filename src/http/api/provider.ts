import type { FastifyInstance } from 'fastify'
import type { Timeouts } from '../../provider/failures.js'
import type { Call } from './call.js'
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
