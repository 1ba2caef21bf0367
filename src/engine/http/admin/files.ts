import type { Resource } from './routes.js'

/** The files that cannot be used now, and why. */
export const files: Resource = (routes, { sandboxes }) => {
  routes.get('/files', () => ({
    complaints: sandboxes.shared.complaints.map(({ file, line, column, message }) => ({ file, line, column, message })),
  }))
}
