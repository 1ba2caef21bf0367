import type { Options } from '../../schemas/config.js'
import { contracts } from '../../schemas/contracts.js'
import { readUsableConfig } from '../server/config-file.js'
import { collectComplaints, loadFixtures, openLibrary } from '../server/load-data.js'
import { loadSettings, resolveSettings } from '../server/settings.js'
import { unknownScenarios } from '../server/unknown-scenarios.js'
import { describeComplaint, type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import { asWritten } from '../text/written-paths.js'
import { nameOf } from '../world/scenarios/load.js'
import type { Settings } from '../world/settings.js'
import type { Io } from './command.js'
import { readGiven } from './read-settings.js'

/** What config, fixtures and scenarios hold, and everything that is wrong with them. */
export interface CheckedFiles {
  /** As the user wrote it. */
  readonly configFile: string | undefined
  /** Records of the fixtures. */
  readonly records: number
  /** Scenarios of files. */
  readonly scenarios: number
  readonly complaints: readonly FileComplaint[]
}

/** Checks all files; where the config file cannot be used, the others as if there were none. */
export async function checkFiles(options: Partial<Options>, io: Io): Promise<CheckedFiles> {
  const complaints: FileComplaint[] = []
  const collect = <T>(work: () => Promise<T>) => collectComplaints(complaints, work)
  const given = (await collect(() => readGiven(options, io))) ?? (await readGiven(options, io, readUsableConfig))
  const settings = (await collect(() => loadSettings(...given))) ?? resolveSettings(...given)
  const records = (await collect(async () => (await loadFixtures(settings)).size)) ?? 0
  const scenarios = (await collect(() => checkScenarios(settings, complaints))) ?? 0
  const { configFile, written } = settings
  return { configFile: configFile && asWritten(written, configFile), records, scenarios, complaints }
}

/** How many scenarios the files hold; the ones that are to be on must be among them. */
async function checkScenarios(settings: Settings, complaints: FileComplaint[]): Promise<number> {
  const library = openLibrary(settings, contracts)
  const ofFiles = await library.load()
  complaints.push(...ofFiles)
  const broken = new Set(ofFiles.map(({ file }) => nameOf(file)))
  const { listed, asked } = await unknownScenarios(library, settings, broken)
  complaints.push(...listed, ...asked)
  return library.all().filter(({ forces }) => forces === undefined).length
}

/**
 * Does what needs the files.
 * @throws {InvalidFiles} with every complaint about any of them, where one cannot be used
 */
export async function withUsableFiles<T>(options: Partial<Options>, io: Io, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error
    const { complaints } = await checkFiles(options, io)
    const told = new Set(complaints.map(describeComplaint))
    throw new InvalidFiles([...complaints, ...error.complaints.filter((one) => !told.has(describeComplaint(one)))])
  }
}
