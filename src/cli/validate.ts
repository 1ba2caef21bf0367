import { type Api, contractsOf } from '../engine/api.js'
import type { Contract } from '../engine/contract/contract.js'
import { countRecords } from '../engine/files/collections.js'
import type { FileComplaint } from '../engine/files/invalid-files.js'
import { collectComplaints, describeComplaint, InvalidFiles } from '../engine/files/invalid-files.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { readSource } from '../engine/files/source-file.js'
import { scenarioNameOf } from '../engine/sandbox/scenarios/load.js'
import { describeIgnoredConfigs } from '../server/config-file.js'
import { describeComplaints, relativePath } from '../server/describe-complaints.js'
import { configureApi, findUnknownScenarios, loadFixtures, loadScenarios } from '../server/load-data.js'
import type { Options } from '../server/options.js'
import type { Settings } from '../server/settings.js'
import { readTlsPair } from '../server/tls.js'
import { checkTools, tools } from '../server/tools.js'
import type { CliCommand, Io } from './command.js'
import { readSettings } from './files.js'
import { annotate } from './publish-report.js'
import { findingOf } from './report-formats/annotation.js'

export const command = (api: Api): CliCommand => ({
  about:
    'Checks the config file, the fixtures and the scenarios without starting a server, and reports all complaints at once, with line and column. The exit status is 1 if there are any.',
  options: ['config', 'fixtures', 'scenarios', 'scenario', 'clock'],
  sections: { Examples: 'npx countersign validate --config conf/ci.yaml --scenarios ./scenarios' },
  async run({ options }, io) {
    const { settings, records, scenarios, complaints } = await checkFiles(api, options, io)
    if (complaints.length > 0) {
      io.err(describeComplaints(complaints, io.folder))
      io.err(`${complaints.length} ${complaints.length === 1 ? 'complaint' : 'complaints'}.`)
      annotate(complaints.map(findingOf), io.err, io)
      return 1
    }
    const config = settings.configFile === undefined ? 'no config file' : relativePath(io.folder, settings.configFile)
    io.out(`No complaints: ${config}${describeIgnoredConfigs(io.folder)}, ${records} fixtures, ${scenarios} scenarios.`)
    return 0
  },
})

/** Uses the valid keys of an invalid config file. */
async function checkFiles(api: Api, options: Partial<Options>, io: Io) {
  const complaints: FileComplaint[] = []
  const collect = <T>(work: () => Promise<T>) => collectComplaints(complaints, work)
  const settings = await readSettings(api, options, io, complaints)
  const configured = configureApi(api, settings.switches)
  const records = (await collect(async () => countRecords((await loadFixtures(configured, settings)).fixtures))) ?? 0
  const { library, warnings, complaints: invalidFiles } = await loadScenarios(configured, settings)
  const broken = new Set(invalidFiles.map(({ file }) => scenarioNameOf(file)))
  complaints.push(...invalidFiles, ...warnings, ...(await findUnknownScenarios(library, settings, broken)))
  await collect(() => checkOptionsTogether(settings))
  await collect(() => checkConfigOfTools(settings, contractsOf(configured.api)))
  const scenarios = library.all().filter(({ forces }) => forces === undefined).length
  return { settings, records, scenarios, complaints }
}

async function checkOptionsTogether(settings: Settings): Promise<void> {
  try {
    checkTools(settings)
    if (settings.tlsCert ?? settings.tlsKey) await readTlsPair(settings)
  } catch (error) {
    const { configFile: file } = settings
    if (!(error instanceof InvalidOption) || file === undefined) throw error
    throw new InvalidFiles([{ file, message: error.message }])
  }
}

export async function checkConfigOfTools(settings: Settings, contracts: readonly Contract[]): Promise<void> {
  const complaints = (await Promise.all(tools.map((tool) => tool.checkConfig?.(settings, contracts) ?? []))).flat()
  const { configFile } = settings
  if (complaints.length === 0 || configFile === undefined) return
  const source = await readSource(configFile)
  throw new InvalidFiles(await Promise.all(complaints.map(({ path, message }) => source.complain(path, message))))
}

export async function withAllComplaints(api: Api, failure: InvalidFiles, options: Partial<Options>, io: Io) {
  const { complaints } = await checkFiles(api, options, io)
  const texts = new Set(complaints.map(describeComplaint))
  return new InvalidFiles([...complaints, ...failure.complaints.filter((one) => !texts.has(describeComplaint(one)))])
}
