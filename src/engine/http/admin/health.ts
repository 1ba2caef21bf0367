import type { AdminRoutes } from '../../api.js'

/** By this header, `countersign health` recognises the server. */
export const SERVER_HEADER = { 'x-mock-server': 'countersign' } as const

export const health: AdminRoutes = (routes, { version, sandboxOf }) => {
  routes.get('/health', { config: { access: 'health' } }, (request, reply) => {
    reply.headers(SERVER_HEADER)
    const { name: sandbox, settings } = sandboxOf(request)
    return { status: 'ok', version, sandbox, publicUrl: settings.publicUrl }
  })
}
