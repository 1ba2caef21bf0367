import type { AdminRoutes } from '../../api.js'

/** The files that cannot be used now and why, and what needs a restart, if anything does. */
export const files: AdminRoutes = (routes, { sandboxes }) => {
  routes.get('/files', () => {
    const { complaints, needsRestart = [] } = sandboxes.data
    return {
      complaints: complaints.map(({ file, line, column, message }) => ({ file, line, column, message })),
      ...(needsRestart.length > 0 && { needsRestart }),
    }
  })
}
