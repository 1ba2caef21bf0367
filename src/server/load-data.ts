import type { Fixtures } from '../api/records.js'
import type { Contract } from '../engine/contract/contract.js'
import { readFixtures } from '../engine/files/fixtures.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../engine/files/invalid-files.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { readSource } from '../engine/files/source-file.js'
import type { Library } from '../engine/sandbox/scenarios/library.js'
import { type LoadedLibrary, loadLibrary } from '../engine/sandbox/scenarios/load.js'
import { noScenario } from '../engine/sandbox/scenarios/scenario.js'
import { activeScenarios, type Shared } from '../engine/sandbox/settings.js'
import type { Seeded } from '../engine/sandbox/state/state.js'
import { defaultFixtures } from '../package-root.js'
import type { Settings } from './settings.js'
import { findToolScenario } from './tools.js'

export interface LoadedData extends Shared {
  readonly settings: Settings
  /** On rules of the user's that can never answer, or never as they are meant. */
  readonly notes: readonly FileComplaint[]
}

/**
 * Loads the data of a server's sandboxes; `fixtures` stand in for those of the settings.
 * @throws {InvalidFiles} with every complaint about fixtures and scenarios, or where the scenarios folder is missing
 * @throws {InvalidOption} if a scenario that should be on does not exist
 */
export async function loadShared(
  settings: Settings,
  contracts: readonly Contract[],
  fixtures?: Fixtures,
): Promise<LoadedData> {
  const { library, notes, complaints: ofScenarios } = await loadScenarios(settings, contracts)
  const complaints: FileComplaint[] = []
  const seeded = await collectComplaints(complaints, async () =>
    fixtures === undefined ? loadFixtures(settings) : { fixtures, files: [] },
  )
  complaints.push(...ofScenarios)
  if (seeded === undefined || complaints.length > 0) throw new InvalidFiles(complaints)
  await requireScenarios(library, settings)
  return { settings, library, seeded, notes, complaints }
}

/**
 * Reads the fixtures; `files` takes the names of all files that are read, or should have been.
 * @throws {InvalidFiles} for fixtures that cannot be used
 */
export async function loadFixtures(settings: Settings, files: string[] = []): Promise<Seeded> {
  return { fixtures: await readFixtures(settings.fixtures ?? defaultFixtures, files), files }
}

/** The scenarios that settings name; those of a library before an edit fall back. */
export function loadScenarios(
  settings: Settings,
  contracts: readonly Contract[],
  before?: Library,
): Promise<LoadedLibrary> {
  const findUnlisted = (name: string) => findToolScenario(name, contracts)
  return loadLibrary(contracts, { folder: settings.scenarios, findUnlisted, before })
}

/**
 * Complaints about scenarios that are to be on and do not exist, each where the config file lists it, else about the
 * option. Scenarios in `broken` have complaints already.
 */
export async function unknownScenarios(
  library: Library,
  settings: Settings,
  broken: ReadonlySet<string> = new Set(),
): Promise<readonly FileComplaint[]> {
  const unknown = activeScenarios(settings).filter((name) => !library.find(name) && !broken.has(name))
  if (unknown.length === 0) return []
  const source = settings.configFile === undefined ? undefined : await readSource(settings.configFile)
  const config = (source?.data ?? {}) as Readonly<Record<string, unknown>>
  const names = library.all().map((scenario) => scenario.name)
  const complaints = unknown.map(async (name) => {
    const message = `${noScenario(name, names)} 'countersign list' shows them all.`
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
