import type { Contract } from '../../schemas/contract.js'
import type { Fixtures } from '../../schemas/fixtures.js'
import { Library, type ReadScenarios } from '../mock/sandbox/scenarios/library.js'
import { loadScenarios } from '../mock/sandbox/scenarios/load.js'
import { activeScenarios, type Settings, type Shared } from '../mock/sandbox/settings.js'
import { readFixtures } from '../mock/sandbox/state/fixtures.js'
import type { Seeded } from '../mock/sandbox/state/state.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../mock/text/invalid-files.js'
import { InvalidOption } from '../mock/text/invalid-option.js'
import { readSource } from '../mock/text/source-file.js'
import { didYouMean, quote } from '../mock/text/wording.js'
import { defaultFixtures, shippedScenarios } from '../package-root.js'

/**
 * Loads the data of a server's sandboxes; `fixtures` stand in for those of the settings.
 * @throws {InvalidFiles} with every complaint about fixtures and scenarios, or where the scenarios folder is missing
 * @throws {InvalidOption} if a scenario that should be on does not exist
 */
export async function loadShared(
  settings: Settings,
  contracts: readonly Contract[],
  fixtures?: Fixtures,
): Promise<Shared> {
  const library = openLibrary(settings, contracts)
  const complaints: FileComplaint[] = []
  const seeded = await collectComplaints(complaints, async () =>
    fixtures === undefined ? loadFixtures(settings) : { fixtures, files: [] },
  )
  // The shipped scenarios are known to be right: without a folder of the user's, nothing is read before it is wanted.
  if (settings.scenarios !== undefined) complaints.push(...(await library.load()))
  if (seeded === undefined || complaints.length > 0) throw new InvalidFiles(complaints)
  await requireScenarios(library, settings)
  return { settings, library, seeded }
}

/**
 * Reads the fixtures; `files` takes the names of all files that are read, or should have been.
 * @throws {InvalidFiles} for fixtures that cannot be used
 */
export async function loadFixtures(settings: Settings, files: string[] = []): Promise<Seeded> {
  return { fixtures: await readFixtures(settings.fixtures ?? defaultFixtures, files), files }
}

/** The scenarios that settings name, to be read when one is first wanted; those of a library before an edit fall back. */
export function openLibrary(settings: Settings, contracts: readonly Contract[], before?: Library): Library {
  const folders = [shippedScenarios, ...(settings.scenarios === undefined ? [] : [settings.scenarios])]
  const read: ReadScenarios = async (outcome) => {
    const { mutantScenario } = await import('../tools/mutate/mutants.js')
    const loaded = await loadScenarios(folders, contracts, outcome)
    return { ...loaded, unlisted: (name) => mutantScenario(name, contracts) }
  }
  return Library.ofFiles(contracts, read, before)
}

/**
 * Complaints about scenarios that are to be on and do not exist, each where the config file lists it, else about the
 * option. The scenario files are read only where a name is not an outcome's. Scenarios in `broken` have complaints already.
 */
export async function unknownScenarios(
  library: Library,
  settings: Settings,
  broken: ReadonlySet<string> = new Set(),
): Promise<readonly FileComplaint[]> {
  const findUnknown = () => activeScenarios(settings).filter((name) => !library.find(name) && !broken.has(name))
  if (findUnknown().length === 0) return []
  await library.load()
  const source = settings.configFile === undefined ? undefined : await readSource(settings.configFile)
  const config = (source?.data ?? {}) as Readonly<Record<string, unknown>>
  const complaints = findUnknown().map(async (name) => {
    const message = `There is no scenario ${quote(name)}.${didYouMean(name, library.names())} 'countersign list' shows them all.`
    const key = ['active', 'scenario'].find((one) => [config[one]].flat().includes(name))
    if (key === undefined) return { file: '--scenario', message }
    const listed = config[key]
    return source!.complain(Array.isArray(listed) ? [key, listed.indexOf(name)] : [key], message)
  })
  return Promise.all(complaints)
}

/**
 * Makes sure that the scenarios exist that are to be on.
 * @throws {InvalidFiles} with every complaint, where the config file lists one that does not
 * @throws {InvalidOption} for others
 */
export async function requireScenarios(library: Library, settings: Settings): Promise<void> {
  const complaints = await unknownScenarios(library, settings)
  if (complaints.some(({ file }) => file === settings.configFile)) throw new InvalidFiles(complaints)
  if (complaints.length > 0) throw new InvalidOption(complaints.map(({ message }) => message).join('\n'))
}
