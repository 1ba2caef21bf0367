import { randomUUID } from 'node:crypto'
import type { FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Middleware } from '../../engine/http/operations/call.js'
import type { EngineSettings } from '../../engine/sandbox/settings.js'
import type { Tool } from '../../engine/tool.js'
import type { ProviderClient } from '../http/client.js'
import type { Timeouts } from '../http/failures.js'
import { checkProvider, destinationFor, type ForwardSettings, providerOptions } from './settings.js'

export interface ForwardParts {
  readonly timeouts?: Timeouts | undefined
}

/** Milliseconds: enough to send lost packets again, and as long as gateways wait. */
const TIMEOUTS: Timeouts = { connect: 5_000, idle: 30_000 }

export const forwardTool = {
  options: providerOptions,
  check: checkProvider,
  destination: destinationFor,
  logNotes: ({ cause, why }) => (cause === 'fallback' ? [{ about: 'the provider', message: why }] : []),
  register(app, settings, { timeouts = TIMEOUTS }) {
    const pseudonym = `countersign-${randomUUID()}`
    const forms = new WeakMap<FastifyRequest, Buffer[]>()
    let client: ProviderClient | undefined
    const middleware: Middleware = {
      answer: async (call, next) => {
        const { provider, fallback, providerToken } = settings()
        if (provider === undefined) return next(call)
        const { askProvider } = await import('./forwarder.js')
        const { ProviderClient } = await import('../http/client.js')
        client ??= new ProviderClient(timeouts, call.sandbox.settings.bodyLimit)
        const form = forms.get(call.fastify.request)
        const body = call.request.bytes ?? (form ? Buffer.concat(form) : null)
        const { answerNaturally } = call
        const forwarding = { provider, client, fallback, providerToken, pseudonym, body, answerNaturally }
        return next({ ...call, answerNaturally: (inner) => askProvider(inner, forwarding) })
      },
    }
    let removeMiddleware: (() => void) | undefined
    const applySettings = () => {
      if (settings().provider === undefined) {
        removeMiddleware?.()
        removeMiddleware = undefined
      } else removeMiddleware ??= app.answerWith(middleware)
    }
    applySettings()
    app.sandboxes.on('edit', applySettings)
    const keepForm: preValidationHookHandler = (request, _, done) => {
      if (removeMiddleware !== undefined && request.isMultipart()) forms.set(request, collectBody(request))
      done()
    }
    app.addHook('onRoute', (route) => {
      // Runs right before the engine reads the form.
      if (route.config?.operation?.contract.form !== undefined)
        route.preValidation = [keepForm, route.preValidation ?? []].flat()
    })
    app.addHook('onClose', async () => client?.close())
  },
} as const satisfies Tool<EngineSettings & ForwardSettings, ForwardParts>

/** Returns a list that grows as the body arrives. Listening starts the flow, so the API must read in the same tick. */
function collectBody({ raw, routeOptions: { bodyLimit } }: FastifyRequest): Buffer[] {
  const chunks: Buffer[] = []
  let size = 0
  raw.on('data', (chunk: Buffer) => {
    size += chunk.byteLength
    // The engine rejects longer forms.
    if (size > bodyLimit) chunks.length = 0
    else chunks.push(chunk)
  })
  return chunks
}
