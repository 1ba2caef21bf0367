import { randomUUID } from 'node:crypto'
import plugin from 'fastify-plugin'
import type { Middleware } from '../../engine/http/api/call.js'
import type { ProviderClient } from '../http/client.js'
import type { Timeouts } from '../http/failures.js'
import type { ForwardSettings } from './settings.js'

export interface ForwardOptions {
  /** As they are now: an edit of the config file may change them. */
  readonly settings: () => ForwardSettings
  readonly timeouts?: Timeouts | undefined
}

/** Puts a provider, if one is set, in place of the service. */
export const forward = plugin<ForwardOptions>(
  async (app, { settings, timeouts }) => {
    let client: ProviderClient | undefined
    const pseudonym = `countersign-${randomUUID()}`
    const middleware: Middleware = {
      isAlwaysOn: settings().provider !== undefined,
      needsBytes: true,
      answer: async (call, next) => {
        const now = settings()
        if (now.provider === undefined) return next(call)
        const { askProvider, createProviderClient } = await import('./forwarder.js')
        client ??= createProviderClient(call.sandbox.settings.bodyLimit, timeouts)
        const provider = { ...now, client, url: now.provider, pseudonym }
        return next({ ...call, serve: (own) => askProvider(own, provider, call.serve) })
      },
    }
    app.answerWith(middleware)
    app.sandboxes.on('edit', () => {
      middleware.isAlwaysOn = settings().provider !== undefined
    })
    app.addHook('onClose', async () => client?.close())
  },
  { name: 'forward' },
)
