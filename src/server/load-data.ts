import type { Contract } from '../../schemas/contract.js'
import type { Fixtures } from '../../schemas/fixtures.js'
import { defaultFixtures, shippedScenarios } from '../package-root.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { didYouMean, quote } from '../text/wording.js'
import { Library, type ReadScenarios } from '../world/scenarios/library.js'
import { loadScenarios } from '../world/scenarios/load.js'
import { activeScenarios, type Settings, type Shared } from '../world/settings.js'
import { readFixtures } from '../world/state/fixtures.js'
import type { Seeded } from '../world/state/state.js'
import { nameFrom } from './complaints.js'
import { InvalidOption } from './invalid-option.js'

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
 * Reads the fixtures; `files` takes the names of all that is read, or should have been.
 * @throws {InvalidFiles} for fixtures that cannot be used
 */
export function loadFixtures(settings: Settings, files: string[] = []): Promise<Seeded> {
  return blaming(settings, 'fixtures', async () => ({
    fixtures: await readFixtures(settings.fixtures ?? defaultFixtures, files),
    files,
  }))
}

/** The scenarios that settings name, to be read when one is first wanted; those of a library before an edit fall back. */
export function openLibrary(settings: Settings, contracts: readonly Contract[], before?: Library): Library {
  const folders = [shippedScenarios, ...(settings.scenarios === undefined ? [] : [settings.scenarios])]
  const read: ReadScenarios = (outcome) =>
    blaming(settings, 'scenarios', async () => {
      const { mutantScenario } = await import('../coverage/mutants/mutants.js')
      const loaded = await loadScenarios(folders, contracts, outcome)
      const complaints = await Promise.all(loaded.complaints.map((one) => blame(one, settings, 'scenarios')))
      return { ...loaded, complaints, unlisted: (name) => mutantScenario(name, contracts) }
    })
  return Library.ofFiles(contracts, read, before)
}

type Named = 'fixtures' | 'scenarios'

/** Makes complaints about what an option names say so. */
async function blaming<T>(settings: Settings, option: Named, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error
    throw new InvalidFiles(await Promise.all(error.complaints.map((one) => blame(one, settings, option))))
  }
}

/** Of a path that cannot be read, says where it was named. */
async function blame(complaint: FileComplaint, settings: Settings, option: Named): Promise<FileComplaint> {
  const { code, file, message } = complaint
  const { sources, configFile, folder } = settings
  if (code !== 'unreadable' || settings[option] !== file) return complaint
  if (sources[option] !== undefined) return { ...complaint, message: `${message} Check ${sources[option]}.` }
  const config = configFile === undefined ? undefined : await readSource(configFile).catch(() => undefined)
  // A folder that is taken without being named stands in no file.
  if ((config?.data as Settings | undefined)?.[option] === undefined) return complaint
  return { ...complaint, ...(await config!.complain(code, [option], `${nameFrom(folder, file)}: ${message}`)) }
}

/**
 * Complaints about scenarios that are to be on and do not exist: each where the config file lists it, or else about the
 * option that asks for it. The scenario files are read only where the outcomes do not have a name. Those in `broken` have
 * files that cannot be used, which is another complaint.
 */
export async function unknownScenarios(
  library: Library,
  settings: Settings,
  broken: ReadonlySet<string> = new Set(),
): Promise<readonly FileComplaint[]> {
  const unknown = () => activeScenarios(settings).filter((name) => !library.find(name) && !broken.has(name))
  if (unknown().length === 0) return []
  await library.load()
  const names = new Set(unknown())
  const message = (name: string) =>
    `There is no scenario ${quote(name)}.${didYouMean(name, library.names())} 'countersign list' shows them all.`
  const complaints: FileComplaint[] = []
  const source = settings.configFile === undefined ? undefined : await readSource(settings.configFile)
  for (const key of ['active', 'scenario']) {
    const value = (source?.data as Readonly<Record<string, unknown>> | null | undefined)?.[key]
    for (const [at, one] of [value ?? []].flat().entries()) {
      const name = String(one)
      if (!unknown().includes(name)) continue
      names.delete(name)
      complaints.push(await source!.complain(CODE, Array.isArray(value) ? [key, at] : [key], message(name)))
    }
  }
  const file = settings.sources.scenario ?? '--scenario'
  return [...complaints, ...Array.from(names, (name) => ({ code: CODE, file, message: message(name) }) as const)]
}

const CODE = 'unknown-scenario'

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
