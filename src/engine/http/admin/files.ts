import { dirname, resolve } from 'node:path'
import type { AdminRoutes } from '../../api.js'
import { scenarioNameOf } from '../../sandbox/scenarios/load.js'
import { scenariosFolder } from './saved-scenario.js'

export const files: AdminRoutes = (routes, { sandboxes }) => {
  routes.get('/files', () => {
    const { complaints, needsRestart = [], settings } = sandboxes.data
    const folder = resolve(settings.folder, scenariosFolder(settings))
    return {
      complaints: complaints.map(({ file, line, column, message }) => {
        const isScenario = resolve(settings.folder, dirname(file)) === folder
        return { file, line, column, message, scenario: isScenario ? scenarioNameOf(file) : undefined }
      }),
      ...(needsRestart.length > 0 && { needsRestart }),
    }
  })
}
