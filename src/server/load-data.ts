import { type Api, applySwitches, contractsOf } from '../engine/api.js'
import { valueAt } from '../engine/contract/json.js'
import type { SwitchValues } from '../engine/contract/switches.js'
import { type Fixtures, fixturesFormat } from '../engine/files/collections.js'
import { readFixtures } from '../engine/files/fixtures.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../engine/files/invalid-files.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { scenarioFormat } from '../engine/files/scenario.js'
import { readSource } from '../engine/files/source-file.js'
import type { ScenarioLibrary } from '../engine/sandbox/scenarios/library.js'
import { loadLibrary } from '../engine/sandbox/scenarios/load.js'
import { describeUnknownScenario } from '../engine/sandbox/scenarios/scenario.js'
import type { SeedData } from '../engine/sandbox/settings.js'
import type { Settings } from './settings.js'
import { tools } from './tools.js'

export type ConfiguredApi = ReturnType<typeof configureApi>

export function configureApi(documentedApi: Api, switches: SwitchValues) {
  const api = applySwitches(documentedApi, switches)
  return {
    api,
    fixturesFormat: fixturesFormat(api.collections, api.fixturesPath),
    scenarioFormat: scenarioFormat(contractsOf(api)),
  }
}

/** @throws {InvalidFiles} @throws {InvalidOption} for an unknown scenario */
export async function loadData(configured: ConfiguredApi, settings: Settings, fixtures?: Fixtures) {
  const { library, warnings, complaints: scenarioComplaints } = await loadScenarios(configured, settings)
  const complaints: FileComplaint[] = []
  const seeded = await collectComplaints(complaints, async () =>
    fixtures === undefined ? loadFixtures(configured, settings) : { fixtures, files: [] },
  )
  complaints.push(...scenarioComplaints)
  if (seeded === undefined || complaints.length > 0) throw new InvalidFiles(complaints)
  await requireScenarios(library, settings)
  return { settings, library, seeded, warnings, complaints }
}

/** Adds the paths that it reads to `files`, including missing files. @throws {InvalidFiles} */
export async function loadFixtures(
  { fixturesFormat: format }: ConfiguredApi,
  { fixtures }: Pick<Settings, 'fixtures'>,
  files: string[] = [],
): Promise<SeedData> {
  return { fixtures: await readFixtures(format, fixtures ?? format.defaults, files), files }
}

/** A file that cannot be used keeps its scenario from `before`. */
export function loadScenarios(
  { api, scenarioFormat: format }: ConfiguredApi,
  { scenarios: folder }: Pick<Settings, 'scenarios'>,
  before?: ScenarioLibrary,
) {
  const findUnlisted = (name: string) =>
    tools.map((tool) => tool.findScenario?.(name, format.contracts, api)).find((one) => one !== undefined)
  return loadLibrary(format, { folder, findUnlisted, shipped: api.scenarios(), before })
}

/** Skips `broken` scenarios. */
export async function findUnknownScenarios(
  library: ScenarioLibrary,
  settings: Settings,
  broken: ReadonlySet<string> = new Set(),
): Promise<readonly FileComplaint[]> {
  const { active, scenario, sandboxes } = settings
  const listed = [...active, ...scenario, ...Object.values(sandboxes).flatMap((sandbox) => sandbox.active)]
  const unknown = [...new Set(listed)].filter((name) => !library.find(name) && !broken.has(name))
  if (unknown.length === 0) return []
  const source = settings.configFile === undefined ? undefined : await readSource(settings.configFile)
  const places = [['active'], ['scenario'], ...Object.keys(sandboxes).map((one) => ['sandboxes', one, 'active'])]
  const names = library.all().map(({ name }) => name)
  const complaints = unknown.map(async (name) => {
    const message = `${describeUnknownScenario(name, names)} 'npx countersign list' shows them all.`
    for (const place of places) {
      const value = valueAt(source?.data, ...place)
      const index = [value].flat().indexOf(name)
      if (source && index >= 0) return source.complain(Array.isArray(value) ? [...place, index] : place, message)
    }
    return { file: '--scenario', message }
  })
  return Promise.all(complaints)
}

/** @throws {InvalidFiles} for the config file's unknown scenarios @throws {InvalidOption} for others */
export async function requireScenarios(library: ScenarioLibrary, settings: Settings): Promise<void> {
  const complaints = await findUnknownScenarios(library, settings)
  if (complaints.some(({ file }) => file === settings.configFile)) throw new InvalidFiles(complaints)
  if (complaints.length > 0) throw new InvalidOption(complaints.map(({ message }) => message).join('\n'))
}
