import { dirname, resolve } from 'node:path'
import type { AdminRoutes } from '../../api.js'
import { scenarioNameOf } from '../../sandbox/scenarios/load.js'
import type { EngineSettings } from '../../sandbox/settings.js'
import { scenariosFolder } from './saved-scenario.js'

export const files: AdminRoutes = (routes, { sandboxes }) => {
  routes.get('/files', () => {
    const { complaints, needsRestart = [], settings } = sandboxes.data
    return {
      complaints: complaints.map(({ file, line, column, message }) => {
        return { file, line, column, message, scenario: scenarioIn(file, settings) }
      }),
      ...(needsRestart.length > 0 && { needsRestart }),
    }
  })
}

function scenarioIn(file: string, settings: EngineSettings): string | undefined {
  const isInFolder = resolve(settings.folder, dirname(file)) === resolve(settings.folder, scenariosFolder(settings))
  return isInFolder ? scenarioNameOf(file) : undefined
}
