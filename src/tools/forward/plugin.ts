import plugin from 'fastify-plugin'
import type { ProviderClient } from '../http-client.js'
import type { Timeouts } from '../http-failures.js'
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
    app.answerWith({
      needsBytes: () => settings().provider !== undefined,
      answer: async (call, next) => {
        const now = settings()
        if (now.provider === undefined) return next(call)
        const { askProvider, createProviderClient } = await import('./forwarder.js')
        client ??= createProviderClient(timeouts)
        const provider = { ...now, client, url: now.provider }
        return next({ ...call, serve: (own) => askProvider(own, provider, call.serve) })
      },
    })
    app.addHook('onClose', async () => client?.close())
  },
  { name: 'forward' },
)
