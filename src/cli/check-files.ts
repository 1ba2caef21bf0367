import type { Options } from '../../schemas/config.js'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { readUsableConfig } from '../server/config-file.js'
import { InvalidOption } from '../server/invalid-option.js'
import { loadFixtures, openLibrary } from '../server/load-data.js'
import { checkProvider } from '../server/provider-settings.js'
import { tlsPair } from '../server/tls.js'
import { unknownScenarios } from '../server/unknown-scenarios.js'
import { type Complaint, collectComplaints, describeComplaint, UnusableFiles } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { nameOf } from '../world/scenarios/load.js'
import type { Settings } from '../world/settings.js'
import { countRecords } from '../world/state/collections.js'
import type { Io } from './command.js'
import { readSettings } from './read-settings.js'

/** What config, fixtures and scenarios hold, and everything that is wrong with them. */
export interface CheckedFiles {
  readonly settings: Settings
  /** Records of the fixtures. */
  readonly records: number
  /** Scenarios of files. */
  readonly scenarios: number
  readonly complaints: readonly Complaint[]
}

/** Checks all files; where the config file cannot be used, the others as if there were none. */
export async function checkFiles(options: Partial<Options>, io: Io): Promise<CheckedFiles> {
  const complaints: Complaint[] = []
  const collect = <T>(work: () => Promise<T>) => collectComplaints(complaints, work)
  const settings =
    (await collect(() => readSettings(options, io))) ?? (await readSettings(options, io, readUsableConfig))
  const records = (await collect(async () => countRecords((await loadFixtures(settings)).fixtures))) ?? 0
  const scenarios = (await collect(() => checkScenarios(settings, complaints))) ?? 0
  await collect(() => checkOptionsTogether(settings))
  await collect(() => checkExcepted(settings))
  return { settings, records, scenarios, complaints }
}

/** @throws {InvalidFiles} where the config file has an option that needs another one */
async function checkOptionsTogether(settings: Settings): Promise<void> {
  try {
    await checkProvider(settings, [])
    if (settings.tlsCert ?? settings.tlsKey) await tlsPair(settings)
  } catch (error) {
    const { configFile: file } = settings
    if (!(error instanceof InvalidOption) || file === undefined) throw error
    throw new UnusableFiles([{ code: 'rule', file, message: error.message }])
  }
}

/** @throws {InvalidFiles} where the config file excepts a mutant that does not exist */
async function checkExcepted({ excepted, configFile, readings }: Settings): Promise<void> {
  if (excepted.length === 0 || configFile === undefined) return
  const [{ mutantNamed }, source] = await Promise.all([
    import('../coverage/mutants/mutants.js'),
    readSource(configFile),
  ])
  const known = contractsUnder(contracts, readings)
  const complaints = excepted.flatMap(({ mutant }, at) =>
    mutantNamed(mutant, known) === undefined
      ? source.complain(
          'reference',
          ['mutate', 'except', at, 'mutant'],
          `There is no mutant ${quote(mutant)}. 'countersign list mutants' shows them all.`,
        )
      : [],
  )
  if (complaints.length > 0) throw new UnusableFiles(await Promise.all(complaints))
}

/** How many scenarios the files hold; the ones that are to be on must be among them. */
async function checkScenarios(settings: Settings, complaints: Complaint[]): Promise<number> {
  const library = openLibrary(settings, contractsUnder(contracts, settings.readings))
  const ofFiles = await library.load()
  const broken = new Set(ofFiles.map(({ file }) => nameOf(file)))
  complaints.push(...ofFiles, ...library.notes, ...(await unknownScenarios(library, settings, broken)))
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
    if (!(error instanceof UnusableFiles)) throw error
    const { complaints } = await checkFiles(options, io)
    const found = new Set(complaints.map(describeComplaint))
    throw new UnusableFiles([...complaints, ...error.complaints.filter((one) => !found.has(describeComplaint(one)))])
  }
}
