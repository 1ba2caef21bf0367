import { contracts } from '../../schemas/contracts.js'
import { applySwitches } from '../api/apply-switches.js'
import { quote } from '../engine/contract/wording.js'
import { countRecords } from '../engine/files/collections.js'
import type { Options } from '../engine/files/config.js'
import {
  collectComplaints,
  describeComplaint,
  type FileComplaint,
  InvalidFiles,
} from '../engine/files/invalid-files.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { readSource } from '../engine/files/source-file.js'
import { nameOf } from '../engine/sandbox/scenarios/load.js'
import { describeComplaints, relativePath } from '../server/complaints.js'
import { readUsableConfig } from '../server/config-file.js'
import { loadFixtures, loadScenarios, unknownScenarios } from '../server/load-data.js'
import type { Settings } from '../server/settings.js'
import { tlsPair } from '../server/tls.js'
import { checkProvider } from '../tools/forward/settings.js'
import type { CliCommand, Io } from './command.js'
import { readSettings } from './files.js'
import { findingOf } from './reports/annotation.js'
import { annotate } from './reports.js'

/** Checks config, fixtures and scenarios; exits 1 with every complaint at once. */
export const command: CliCommand = {
  about:
    'Checks the config file, the fixtures and the scenarios without starting a server, and reports all complaints at once, with line and column. The exit status is 1 if there are any.',
  options: ['config', 'fixtures', 'scenarios', 'scenario', 'clock'],
  sections: { Examples: 'countersign validate --config conf/ci.yaml --scenarios ./scenarios' },
  async run({ options }, io) {
    const { settings, records, scenarios, complaints } = await checkFiles(options, io)
    if (complaints.length > 0) {
      io.err(describeComplaints(complaints, io.folder))
      io.err(`${complaints.length} ${complaints.length === 1 ? 'complaint' : 'complaints'}.`)
      annotate(complaints.map(findingOf), io.err, io)
      return 1
    }
    const config = settings.configFile === undefined ? 'no config file' : relativePath(io.folder, settings.configFile)
    io.out(`No complaints: ${config}, ${records} fixtures, ${scenarios} scenarios.`)
    return 0
  },
}

/** Checks all files, and counts records and scenarios; of an invalid config file, the usable part counts. */
async function checkFiles(options: Partial<Options>, io: Io) {
  const complaints: FileComplaint[] = []
  const collect = <T>(work: () => Promise<T>) => collectComplaints(complaints, work)
  const settings = await readSettings(options, io, (name, folder) => readUsableConfig(name, folder, complaints))
  const records = (await collect(async () => countRecords((await loadFixtures(settings)).fixtures))) ?? 0
  const loaded = await loadScenarios(settings, applySwitches(contracts, settings.switches))
  const { library, notes, complaints: ofFiles } = loaded
  const broken = new Set(ofFiles.map(({ file }) => nameOf(file)))
  complaints.push(...ofFiles, ...notes, ...(await unknownScenarios(library, settings, broken)))
  await collect(() => checkOptionsTogether(settings))
  await collect(() => checkExcepted(settings))
  const scenarios = library.all().filter(({ forces }) => forces === undefined).length
  return { settings, records, scenarios, complaints }
}

/** @throws {InvalidFiles} where the config file has an option that needs another one */
async function checkOptionsTogether(settings: Settings): Promise<void> {
  try {
    checkProvider(settings)
    if (settings.tlsCert ?? settings.tlsKey) await tlsPair(settings)
  } catch (error) {
    const { configFile: file } = settings
    if (!(error instanceof InvalidOption) || file === undefined) throw error
    throw new InvalidFiles([{ file, message: error.message }])
  }
}

/** True if a mutant has this id, or one that the pattern with `*` matches. */
export function isNamed(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(id)
}

/** @throws {InvalidFiles} where the config file excepts a mutant that does not exist */
export async function checkExcepted({ excepted, configFile, switches }: Settings): Promise<void> {
  if (excepted.length === 0 || configFile === undefined) return
  const { mutantsOf } = await import('../tools/mutate/mutants.js')
  const source = await readSource(configFile)
  const known = applySwitches(contracts, switches).flatMap(mutantsOf)
  const complaints: FileComplaint[] = []
  for (const [at, { mutant }] of excepted.entries()) {
    if (known.some(({ id }) => isNamed(mutant, id))) continue
    const message = `There is no mutant ${quote(mutant)}. 'countersign list mutants' shows them all.`
    complaints.push(await source.complain(['mutate', 'except', at, 'mutant'], message))
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints)
}

/** A failure of a command that starts a server, with every complaint about any of its files. */
export async function withAllComplaints(
  failure: InvalidFiles,
  options: Partial<Options>,
  io: Io,
): Promise<InvalidFiles> {
  const { complaints } = await checkFiles(options, io)
  const found = new Set(complaints.map(describeComplaint))
  return new InvalidFiles([...complaints, ...failure.complaints.filter((one) => !found.has(describeComplaint(one)))])
}
