import { call } from './api.js'

/** The path of a scenario. */
export function scenarioPath(name: string): string {
  return `scenarios/${encodeURIComponent(name)}`
}

/** Switches a scenario or an outcome on or off. */
export function switchScenario(name: string, active: boolean): Promise<unknown> {
  return call(scenarioPath(name), { method: 'PUT', body: { active } })
}
