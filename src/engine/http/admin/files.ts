import type { AdminRoutes } from '../../api.js'

/** The files that cannot be used now, and why. */
export const files: AdminRoutes = (routes, { sandboxes }) => {
  routes.get('/files', () => ({
    complaints: sandboxes.data.complaints.map(({ file, line, column, message }) => ({ file, line, column, message })),
  }))
}
