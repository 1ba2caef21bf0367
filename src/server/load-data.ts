import type { Contract } from '../../schemas/contract.js'
import type { Fixtures } from '../../schemas/fixtures.js'
import { defaultFixtures, shippedScenarios } from '../package-root.js'
import { type Complaint, collectComplaints, UnusableFiles } from '../text/invalid-files.js'
import { Library } from '../world/scenarios/library.js'
import { type LoadContext, type LoadedScenarios, loadScenarios } from '../world/scenarios/load.js'
import type { Settings, Shared } from '../world/settings.js'
import { readFixtures } from '../world/state/fixtures.js'
import type { Seeded } from '../world/state/state.js'
import { requireScenarios } from './unknown-scenarios.js'

/**
 * Loads what the worlds of a server answer by; `fixtures` stand in for those of the settings.
 * @throws {InvalidFiles} with every complaint about fixtures and scenarios, or where the scenarios folder is missing
 * @throws {InvalidOption} if a scenario that should be on does not exist
 */
export async function loadShared(
  settings: Settings,
  contracts: readonly Contract[],
  fixtures?: Fixtures,
): Promise<Shared> {
  const library = openLibrary(settings, contracts)
  const complaints: Complaint[] = []
  const seeded = await collectComplaints(complaints, async () =>
    fixtures === undefined ? loadFixtures(settings) : { fixtures, files: [] },
  )
  // The shipped scenarios are known to be right: without a folder of the user's, nothing is read before it is wanted.
  if (settings.scenarios !== undefined) complaints.push(...(await library.load()))
  if (seeded === undefined || complaints.length > 0) throw new UnusableFiles(complaints)
  await requireScenarios(library, settings)
  return { settings, library, seeded }
}

/**
 * Reads the fixtures; `files` takes the names of all that is read, or should have been.
 * @throws {InvalidFiles} for fixtures that cannot be used
 */
export async function loadFixtures(settings: Settings, files: string[] = []): Promise<Seeded> {
  return { fixtures: await readFixtures(settings.fixtures ?? defaultFixtures, files), files }
}

/** The scenarios that settings name; their files are read when one is first wanted. */
export function openLibrary(settings: Settings, contracts: readonly Contract[]): Library {
  return new Library(contracts, (outcome) => readScenarios(scenarioFolders(settings), { contracts, outcome }))
}

/** Reads the scenario files; each mutant can be on as a scenario, too. */
async function readScenarios(folders: readonly string[], context: LoadContext): Promise<LoadedScenarios> {
  const [loaded, { mutantScenario }] = await Promise.all([
    loadScenarios(folders, context),
    import('../coverage/mutants/mutants.js'),
  ])
  return { ...loaded, unlisted: (name) => mutantScenario(name, context.contracts) }
}

/** A library after an edit, to be read again. */
export function reopenLibrary(library: Library, settings: Settings): Library {
  const { contracts } = library
  return library.edited((outcome) => readScenarios(scenarioFolders(settings), { contracts, outcome }))
}

/** The shipped scenarios, then the user's, which win. */
export function scenarioFolders({ scenarios }: Settings): string[] {
  return scenarios === undefined ? [shippedScenarios] : [shippedScenarios, scenarios]
}
