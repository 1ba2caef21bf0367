import type { Resource } from './routes.js'

/** Lets `countersign health` recognise this server among others. */
export const SERVER = { 'x-mock-server': 'countersign' } as const

export const health: Resource = (routes, { version }) => {
  routes.get('/health', { config: { access: 'health' } }, (request, reply) => {
    reply.headers(SERVER)
    const { name: sandbox, settings } = request.sandbox
    return { status: 'ok', version, sandbox, publicUrl: settings.publicUrl }
  })
}
