import { existsSync } from 'node:fs'
import type { Contract } from '../../schemas/contract.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import type { Fixtures } from '../../schemas/fixtures.js'
import { defaultFixtures, shippedScenarios } from '../package-root.js'
import { type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import { complaintsAsWritten } from '../text/written-paths.js'
import { Library, type ReadScenarios } from '../world/scenarios/library.js'
import { loadScenarios } from '../world/scenarios/load.js'
import type { Settings, Shared } from '../world/settings.js'
import { DEFAULT, readFixtures } from '../world/state/fixtures.js'
import { SeededCollections } from '../world/state/seeded-collections.js'
import { namedBySetting } from './named-by-setting.js'
import { requireScenarios } from './unknown-scenarios.js'

/**
 * Loads what the worlds of a server answer by; `fixtures` stand in for those of the settings.
 * @throws {InvalidFiles} with every complaint about fixtures and scenarios, or where the scenarios folder is missing
 * @throws {InvalidOption} for a scenario that is to be on and does not exist
 */
export async function loadShared(
  settings: Settings,
  contracts: readonly Contract[],
  fixtures?: Fixtures,
): Promise<Shared> {
  const library = openLibrary(settings, contracts)
  const complaints: FileComplaint[] = []
  const seeded = await collectComplaints(complaints, async () =>
    fixtures === undefined ? loadFixtures(settings) : new SeededCollections(fixtures),
  )
  // The shipped scenarios are known to be right: without a folder of the user's, nothing is read before it is wanted.
  if (settings.scenarios !== undefined) complaints.push(...(await library.load()))
  if (seeded === undefined || complaints.length > 0) throw new InvalidFiles(complaints)
  await requireScenarios(library, settings)
  return { settings, library, seeded }
}

/** Does something, and adds the complaints about files to others; undefined where there are any. */
export async function collectComplaints<T>(
  complaints: FileComplaint[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error
    complaints.push(...error.complaints)
    return undefined
  }
}

/**
 * Reads the fixtures; `files` takes the names of all that is read, or should have been.
 * @throws {InvalidFiles} for fixtures that cannot be used
 */
export async function loadFixtures(settings: Settings, files: string[] = []): Promise<SeededCollections> {
  const { fixtures = defaultFixtures } = settings
  const read = await namedBySetting(settings, 'fixtures', () => readFixtures(fixtures, files))
  return new SeededCollections(read, { name: settings.fixtures ?? DEFAULT, files })
}

/** The scenarios that settings name; their files are read when one is first wanted. */
export function openLibrary(settings: Settings, contracts: readonly Contract[]): Library {
  const under = contractsUnder(contracts, settings.readings)
  return new Library(
    under,
    scenarioReader(under, settings, () => scenarioFolders(settings)),
  )
}

/** A library after an edit, to be read again: a folder that was deleted takes its scenarios with it. */
export function reopenLibrary(library: Library, settings: Settings, contracts: readonly Contract[]): Library {
  const under = contractsUnder(contracts, settings.readings)
  const folders = () => scenarioFolders(settings).filter((folder) => existsSync(folder))
  return library.edited(under, scenarioReader(under, settings, folders))
}

/** `under`: the contracts under the readings in force; `folders` is asked each time that files are read. */
function scenarioReader(
  under: readonly Contract[],
  settings: Settings,
  folders: () => readonly string[],
): ReadScenarios {
  return async (outcome) => {
    const load = () => loadScenarios(folders(), { contracts: under, outcome })
    const loaded = await namedBySetting(settings, 'scenarios', load)
    return { ...loaded, complaints: complaintsAsWritten(settings.written, loaded.complaints) }
  }
}

/** The shipped scenarios, then the user's, which win. */
export function scenarioFolders({ scenarios }: Settings): string[] {
  return scenarios === undefined ? [shippedScenarios] : [shippedScenarios, scenarios]
}
