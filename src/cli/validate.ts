import { contracts } from '../../schemas/contracts.js'
import { collectComplaints, loadFixtures, openLibrary } from '../server/load-data.js'
import { resolveSettings } from '../server/settings.js'
import { describeComplaint, type FileComplaint } from '../text/invalid-files.js'
import { didYouMean, quote } from '../text/wording.js'
import { nameOf } from '../world/scenarios/load.js'
import { activeScenarios, type Settings } from '../world/settings.js'
import type { Command } from './command.js'
import { readCommandLine, refuseWords } from './command-line.js'
import { readSettings } from './read-settings.js'

/** Checks config, fixtures and scenarios; exits 1 with every complaint at once. */
export const validate: Command = async (argv, io) => {
  const { options, words } = readCommandLine(argv)
  refuseWords(words)
  const complaints: FileComplaint[] = []
  const collect = <T>(work: () => Promise<T>) => collectComplaints(complaints, work)
  const none = { file: undefined, config: {} }
  const settings = (await collect(() => readSettings(options, io))) ?? resolveSettings(options, {}, none, io.folder)
  const records = await collect(async () => (await loadFixtures(settings)).size)
  const scenarios = await collect(() => checkScenarios(settings, complaints))
  for (const complaint of complaints) io.err(describeComplaint(complaint))
  if (complaints.length > 0) {
    io.err(`${complaints.length} ${complaints.length === 1 ? 'complaint' : 'complaints'}.`)
    return 1
  }
  io.out(`No problems found: ${settings.configFile ?? 'no config file'}, ${records} fixtures, ${scenarios} scenarios.`)
  return 0
}

/** How many scenarios the files hold; the ones that are to be on must be among them. */
async function checkScenarios(settings: Settings, complaints: FileComplaint[]): Promise<number> {
  const library = openLibrary(settings, contracts)
  complaints.push(...(await library.load()))
  for (const name of activeScenarios(settings).filter((one) => library.find(one) === undefined)) {
    if (complaints.some(({ file }) => nameOf(file) === name)) continue
    const listed = settings.active.includes(name)
    const message = `The scenario ${quote(name)} ${listed ? 'is listed as active but ' : ''}does not exist.${didYouMean(name, library.names())}`
    const file = listed ? (settings.configFile ?? 'config') : '--scenario'
    complaints.push({ file, message })
  }
  return library.all().filter(({ forces }) => forces === undefined).length
}
