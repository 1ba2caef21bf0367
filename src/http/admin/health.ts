import type { Resource } from './resource.js'

export const health: Resource = (scope, { version, worldOf }) => {
  scope.get('/health', (request) => ({ status: 'ok', version, sandbox: worldOf(request).name }))
}
