import { contracts } from '../../../schemas/contracts.js'
import { contractsUnder } from '../../../schemas/contracts-under.js'
import { openLibrary } from '../../server/load-data.js'
import type { Complaint } from '../../text/invalid-files.js'
import { activeScenarios, type Settings } from '../../world/settings.js'
import { defineList } from './list.js'

/** What is wrong with the files of the scenarios. */
export function scenarioComplaints(settings: Settings): Promise<readonly Complaint[]> {
  return openLibrary(settings, contractsUnder(contracts, settings.readings)).load()
}

/** The scenarios of the folder, without those that every outcome is. */
export const scenarios = defineList(
  async (settings) => {
    const library = openLibrary(settings, contractsUnder(contracts, settings.readings))
    await library.load()
    const active = activeScenarios(settings)
    return library
      .all()
      .filter(({ forces }) => forces === undefined)
      .map(({ name, description }) => ({ name, active: active.includes(name), description }))
  },
  ({ name, active, description }) => [[name, active ? 'on' : 'off', description]],
)
