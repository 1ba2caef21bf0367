import { contracts } from '../../schemas/contracts.js'
import { describeComplaints } from '../server/complaints-in-words.js'
import { InvalidOption } from '../server/invalid-option.js'
import { openLibrary } from '../server/load-data.js'
import { didYouMean, quote } from '../text/wording.js'
import { describeScenario } from '../world/scenarios/describe.js'
import type { Command } from './command.js'
import { readCommandLine, refuseWords } from './command-line.js'
import { readSettings } from './read-settings.js'

/** Explains in plain words what a scenario does, rule by rule. */
export const explain: Command = async (argv, io) => {
  const { options, words } = readCommandLine('explain', argv)
  const [name, ...others] = words
  refuseWords('explain', others)
  const settings = await readSettings(options, io)
  const library = openLibrary(settings, contracts)
  const complaints = await library.load()
  if (name === undefined) {
    const files = library.all().filter(({ forces }) => forces === undefined)
    const available = files.map((one) => one.name).join(', ')
    throw new InvalidOption(`Name a scenario: countersign explain NAME. Available: ${available}.`)
  }
  const scenario = library.find(name)
  if (scenario === undefined) {
    const broken = complaints.length === 0 ? '' : `\n${await describeComplaints(complaints, settings)}`
    throw new InvalidOption(`There is no scenario ${quote(name)}.${didYouMean(name, library.names())}${broken}`)
  }
  io.out(describeScenario(scenario))
  return 0
}
