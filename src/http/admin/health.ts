import type { Resource } from './resource.js'

export const health: Resource = (routes, { version, worldOf }) => {
  routes.get('/health', (request) => {
    const { name, settings } = worldOf(request)
    const { publicUrl } = settings
    return { status: 'ok', version, sandbox: name, ...(publicUrl !== undefined && { publicUrl }) }
  })
}
