import type { Resource } from './resource.js'

export const health: Resource = (routes, { version, worldOf }) => {
  routes.get('/health', (request) => ({ status: 'ok', version, sandbox: worldOf(request).name }))
}
