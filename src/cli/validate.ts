import { contracts } from '../../schemas/contracts.js'
import { defaultFixtures } from '../package-root.js'
import { readCommandLine, resolveSettings, type Settings } from '../server/options.js'
import { activeIn, scenarioFolders } from '../server/reload.js'
import { describeComplaint, type FileComplaint, InvalidFiles } from '../text/source-file.js'
import { didYouMean, quote } from '../text/wording.js'
import { Library } from '../world/scenarios/library.js'
import { loadScenarios, nameOf } from '../world/scenarios/load.js'
import { readFixtures } from '../world/state/fixtures.js'
import type { Command } from './command.js'
import { refuseWords, settingsOf } from './read-settings.js'

/** Checks config, fixtures and scenarios; exits 1 with every complaint at once. */
export const validate: Command = async (argv, io) => {
  const { options, words } = readCommandLine(argv)
  refuseWords(words)
  const complaints: FileComplaint[] = []
  const collect = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof InvalidFiles)) throw error
      complaints.push(...error.complaints)
      return undefined
    }
  }
  const none = { file: undefined, config: {} }
  const settings = (await collect(() => settingsOf(options, io))) ?? resolveSettings(options, {}, none)
  const fixtures = await collect(() => readFixtures(settings.fixtures ?? defaultFixtures))
  const scenarios = await collect(() => checkScenarios(settings, complaints))
  for (const complaint of complaints) io.err(describeComplaint(complaint))
  if (complaints.length > 0) {
    io.err(`${complaints.length} ${complaints.length === 1 ? 'complaint' : 'complaints'}.`)
    return 1
  }
  const records = Object.values(fixtures ?? {}).flat().length
  io.out(`All is well: ${settings.configFile ?? 'no config file'}, ${records} fixtures, ${scenarios} scenarios.`)
  return 0
}

/** How many scenarios there are; the ones that should be on must be among them. */
async function checkScenarios(settings: Settings, complaints: FileComplaint[]): Promise<number> {
  let count = 0
  const { errorBody } = settings.readings
  const library = new Library(contracts, async (outcome) => {
    const loaded = await loadScenarios(scenarioFolders(settings), { contracts, errorBody, outcome })
    count = loaded.scenarios.size
    return loaded
  })
  complaints.push(...(await library.load()))
  for (const name of activeIn(settings).filter((one) => library.find(one) === undefined)) {
    if (complaints.some(({ file }) => nameOf(file) === name)) continue
    const message = `The scenario ${quote(name)} should be on, but there is none of this name.${didYouMean(name, library.names())}`
    complaints.push({
      file: settings.active.includes(name) ? (settings.configFile ?? 'config') : '--scenario',
      message,
    })
  }
  return count
}
