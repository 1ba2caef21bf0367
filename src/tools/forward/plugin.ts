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

export const forwardTool = {
  name: 'forward',
  options: providerOptions,
  check: checkProvider,
  destination: destinationFor,
  logNotes: ({ cause, why }) => (cause === 'fallback' ? [{ about: 'the provider', message: why }] : []),
  register(app, settings, { timeouts }) {
    const pseudonym = `countersign-${randomUUID()}`
    const forms = new FormBytes()
    let client: ProviderClient | undefined
    const middleware: Middleware = {
      answer: async (call, next) => {
        const { provider, fallback, providerToken } = settings()
        if (provider === undefined) return next(call)
        const { askProvider, createProviderClient } = await import('./forwarder.js')
        client ??= createProviderClient(call.sandbox.settings.bodyLimit, timeouts)
        const body = call.request.bytes ?? forms.of(call.fastify.request)
        const { answerNaturally } = call
        const forwarding = { provider, client, fallback, providerToken, pseudonym, body, answerNaturally }
        return next({ ...call, answerNaturally: (own) => askProvider(own, forwarding) })
      },
    }
    let remove: (() => void) | undefined
    const followSettings = () => {
      if (settings().provider === undefined) {
        remove?.()
        remove = undefined
      } else remove ??= app.answerWith(middleware)
    }
    followSettings()
    app.sandboxes.on('edit', followSettings)
    const collect: preValidationHookHandler = (request, _, done) => {
      if (remove !== undefined && request.isMultipart()) forms.collect(request)
      done()
    }
    app.addHook('onRoute', (route) => {
      // Right before the API reads the form.
      if (route.config?.operation?.contract.form !== undefined)
        route.preValidation = [collect, route.preValidation ?? []].flat()
    })
    app.addHook('onClose', async () => client?.close())
  },
} as const satisfies Tool<EngineSettings & ForwardSettings, ForwardParts>

/** Forms as received: the engine keeps only fields. */
class FormBytes {
  readonly #pieces = new WeakMap<FastifyRequest, Buffer[]>()

  /** Listening starts the flow: the reader must start in the same tick. */
  collect(request: FastifyRequest): void {
    const { bodyLimit } = request.routeOptions
    const pieces: Buffer[] = []
    let size = 0
    this.#pieces.set(request, pieces)
    request.raw.on('data', (piece: Buffer) => {
      size += piece.byteLength
      // The engine refuses longer forms.
      if (size > bodyLimit) pieces.length = 0
      else pieces.push(piece)
    })
  }

  of(request: FastifyRequest): Buffer | null {
    const pieces = this.#pieces.get(request)
    return pieces === undefined ? null : Buffer.concat(pieces)
  }
}
