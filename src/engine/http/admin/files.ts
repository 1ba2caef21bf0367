import type { AdminRoutes } from '../../api.js'

/** Broken files, and options that need a restart. */
export const files: AdminRoutes = (routes, { sandboxes }) => {
  routes.get('/files', () => {
    const { complaints, needsRestart = [] } = sandboxes.data
    return {
      complaints: complaints.map(({ file, line, column, message }) => ({ file, line, column, message })),
      ...(needsRestart.length > 0 && { needsRestart }),
    }
  })
}
