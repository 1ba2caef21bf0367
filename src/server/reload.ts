import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { onOneLine, quote } from '../engine/contract/wording.js'
import { countRecords, type Fixtures } from '../engine/files/collections.js'
import { requireConsistent } from '../engine/files/consistency.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../engine/files/invalid-files.js'
import { stampOf } from '../engine/files/stamp.js'
import type { ChangeKind, Sandbox } from '../engine/sandbox/sandbox.js'
import type { Sandboxes } from '../engine/sandbox/sandboxes.js'
import type { ScenarioLibrary } from '../engine/sandbox/scenarios/library.js'
import { scenarioNameOf } from '../engine/sandbox/scenarios/load.js'
import type { SeedData } from '../engine/sandbox/settings.js'
import { CONFIG_FILES } from './config-file.js'
import { describeComplaints, relativePath } from './describe-complaints.js'
import { type ConfiguredApi, loadFixtures, loadScenarios, requireScenarios } from './load-data.js'
import { applyEdit, defaultFolder, type Settings } from './settings.js'
import { checkTools, destinationOf } from './tools.js'

export interface ReloadOptions {
  /** Called with each warning. */
  readonly notify: (text: string) => void
  /** Called with the effects of edits, and by the server with lines for exchanges and mails. */
  readonly print: (text: string) => void
  /** Without it, edits of the config file have no effect. */
  readonly rereadSettings?: () => Promise<Settings>
  /** Instead of the settings' fixtures. */
  readonly fixtures?: Fixtures
}

/** Milliseconds between looks at the files (docs/decisions/006). */
const CHECK_INTERVAL = 100
/** An editor may write a file in several steps: files that still change are loaded after this many checks. */
const MAX_UNSETTLED_CHECKS = 5

/** A file that cannot be used changes nothing. */
export function reloadOnEdits(
  app: FastifyInstance,
  sandboxes: Sandboxes<Settings>,
  configured: ConfiguredApi,
  options: ReloadOptions,
): void {
  const reload = new Reload(sandboxes, configured, options)
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const check = async () => {
    // An unexpected error must not end the server.
    await reload.check().catch(({ message }: Error) => options.notify(`The edit cannot be used: ${message}.`))
    await scheduleCheck()
  }
  const scheduleCheck = async () => {
    if (!isClosed) timer = setTimeout(check, CHECK_INTERVAL).unref()
  }
  app.addHook('onListen', scheduleCheck)
  app.addHook('onClose', async () => {
    isClosed = true
    clearTimeout(timer)
  })
}

type Stamps = ReadonlyMap<string, string>

class Reload {
  #stampsAtLoad: Stamps
  #stampsAtCheck: Stamps
  #unsettledChecks = 0
  /** Stamps of the config and the fixtures in use. */
  #used: { config: string; fixtures: string }
  /** More paths to watch: those in an edited config, and fixtures, even if they cannot be used. */
  #readPaths: string[] = []
  #hasRootSandboxChanged = false
  #reported: readonly string[] = []

  constructor(
    private readonly sandboxes: Sandboxes<Settings>,
    private readonly configured: ConfiguredApi,
    private readonly options: ReloadOptions,
  ) {
    this.#stampsAtCheck = this.#stampsAtLoad = this.#stamps()
    const { settings, seeded } = sandboxes.data
    this.#used = { config: stampsOf(this.#configFiles()), fixtures: seedStamps(settings, seeded) }
  }

  /** Loads what changed; reports effects, and each complaint once. */
  async check(): Promise<void> {
    if (!this.#isSettledChange() && !this.#hasRootSandboxChanged) return
    this.#hasRootSandboxChanged = false
    const { data: before } = this.sandboxes
    this.#readPaths = []
    const configStamp = stampsOf(this.#configFiles())
    const isEdited = configStamp !== this.#used.config
    const config = await attempt(before.settings.configFile ?? 'config', () => this.#loadSettings(isEdited))
    const { settings, needsRestart = [] } = config.value ?? before
    const { library, complaints, warnings } = await loadScenarios(this.configured, settings, before.library)
    const fixtures = await attempt(settings.fixtures ?? 'fixtures', () => this.#loadSeeds(settings))
    const seeded = fixtures.value ?? before.seeded
    const unusable = [...config.complaints, ...complaints, ...fixtures.complaints]
    const shownComplaints = unusable.map((one) => ({ ...one, file: relativePath(settings.folder, one.file) }))
    const outdated = this.sandboxes.use({ settings, library, seeded, complaints: shownComplaints, needsRestart })
    const isEditApplied = isEdited && config.value !== undefined
    if (isEditApplied) {
      this.#used.config = configStamp
      this.sandboxes.applyActiveScenarios()
    }
    // Fixtures that contradict records of the root sandbox may fit once the records change.
    this.sandboxes.off('change', this.#onRootSandboxChange)
    if (fixtures.complaints.length > 0) this.sandboxes.on('change', this.#onRootSandboxChange)
    // Adds the files that this load read for the first time.
    this.#stampsAtLoad = new Map([...this.#stamps(), ...this.#stampsAtLoad])
    const describe = (one: FileComplaint, ...rest: string[]) =>
      [describeComplaints([one], settings.folder), ...rest].join('\n')
    this.#reportOnce([
      ...needsRestart.map((flag) => `A new value of ${flag} needs a restart.`),
      ...config.complaints.map((one) => describe(one, LAST_GOOD)),
      ...complaints.map((one) => describe(one, describeReplacement(one, before.library, settings.scenarios))),
      ...warnings.map((one) => describe(one)),
      ...fixtures.complaints.map((one) => describe(one, 'The fixtures in use stay as they are.')),
    ])
    const effects = [
      ...(isEditApplied ? [describeEdit(before.settings, settings)] : []),
      ...describeDestination(before.settings, settings),
      ...describeScenarioChanges(before.library, library, settings.active),
      ...(seeded === before.seeded ? [] : [`The fixtures were reloaded: ${countRecords(seeded.fixtures)} records.`]),
      ...describeOutdated(outdated),
    ]
    if (effects.length > 0) this.options.print(`${effects.join(' ')} ${this.#describeActive()}`)
  }

  #reportOnce(warnings: readonly string[]): void {
    for (const text of warnings) if (!this.#reported.includes(text)) this.options.notify(text)
    this.#reported = warnings
  }

  /** Without an edit of the config, only default folders can appear, and fixtures vanish. @throws for settings that this server cannot use */
  async #loadSettings(isEdited: boolean): Promise<ReturnType<typeof applyEdit>> {
    const { settings: before, library } = this.sandboxes.data
    if (this.options.rereadSettings === undefined) return { settings: before, needsRestart: [] }
    const edit = applyEdit(before, await this.options.rereadSettings())
    const { settings, needsRestart } = edit
    if (!isEdited) {
      const { scenarios = settings.scenarios } = before
      return { settings: { ...before, scenarios, fixtures: settings.fixtures }, needsRestart }
    }
    this.#readPaths.push(...[settings.scenarios, settings.fixtures].filter((path) => path !== undefined))
    checkTools(settings)
    // Only after an edit of the config: later, a listed scenario may be deleted without a complaint.
    await requireScenarios((await loadScenarios(this.configured, settings, library)).library, settings)
    return edit
  }

  /** Keeps the fixtures in use, unless a file has changed. @throws {InvalidFiles} */
  async #loadSeeds(settings: Settings): Promise<SeedData> {
    const { seeded: before } = this.sandboxes.data
    if (this.options.fixtures !== undefined || seedStamps(settings, before) === this.#used.fixtures) return before
    const seeded = await loadFixtures(this.configured, settings, this.#readPaths)
    await this.#requireConsistent(settings.fixtures ?? 'fixtures', seeded)
    this.#used.fixtures = seedStamps(settings, seeded)
    return seeded
  }

  /** The next start must be able to read the stored state. @throws {InvalidFiles} with records that do not fit */
  async #requireConsistent(file: string, seeded: SeedData): Promise<void> {
    const { state } = this.sandboxes.root
    const complaints: FileComplaint[] = []
    const check = () => requireConsistent(state.withEditedFixtures(seeded), state.definitions, new Map())
    await collectComplaints(complaints, check)
    if (complaints.length === 0) return
    const advice = 'Fix the file, delete the record, or reset the sandbox.'
    throw new InvalidFiles(complaints.map(({ message }) => ({ file, message: `${message} ${advice}` })))
  }

  readonly #onRootSandboxChange = (kind: ChangeKind, { name }: Sandbox) => {
    if (kind === 'state' && name === null) this.#hasRootSandboxChanged = true
  }

  /** True once changed files have settled. */
  #isSettledChange(): boolean {
    const stamps = this.#stamps()
    const isSettled = [...stamps].every(([path, stamp]) => (this.#stampsAtCheck.get(path) ?? stamp) === stamp)
    this.#stampsAtCheck = stamps
    if (!isSettled && ++this.#unsettledChecks < MAX_UNSETTLED_CHECKS) return false
    this.#unsettledChecks = 0
    const isChanged = [...stamps].some(([path, stamp]) => (this.#stampsAtLoad.get(path) ?? stamp) !== stamp)
    this.#stampsAtLoad = stamps
    return isChanged
  }

  #stamps(): Stamps {
    const { settings, seeded } = this.sandboxes.data
    const { rereadSettings, fixtures: fixedFixtures } = this.options
    const { configFile, folder } = settings
    const pathOf = (name: 'scenarios' | 'fixtures') =>
      settings[name] ?? (rereadSettings && defaultFolder(name, configFile, folder)) ?? []
    const fixtures = fixedFixtures === undefined ? [pathOf('fixtures'), seeded.files] : []
    const paths = [this.#configFiles(), pathOf('scenarios'), fixtures, this.#readPaths].flat(2)
    return new Map(paths.map((path) => [path, stampOf(path)]))
  }

  #configFiles(): readonly string[] {
    const { configFile, folder } = this.sandboxes.data.settings
    if (this.options.rereadSettings === undefined) return []
    return configFile === undefined ? CONFIG_FILES.map((name) => join(folder, name)) : [configFile]
  }

  #describeActive(): string {
    const { library, player } = this.sandboxes.root
    const active = player.active.filter((name) => library.find(name) !== undefined)
    return `Active scenarios: ${active.join(', ') || 'none'}.`
  }
}

function seedStamps({ fixtures }: Settings, { files }: SeedData): string {
  return stampsOf([fixtures ?? [], files].flat())
}

function stampsOf(paths: readonly string[]): string {
  return paths.map((path) => `${path} ${stampOf(path)}`).join('\n')
}

/** An error becomes a complaint about the file. */
async function attempt<T>(file: string, work: () => Promise<T>) {
  try {
    return { value: await work(), complaints: [] }
  } catch (error) {
    const { message } = error as Error
    return { complaints: error instanceof InvalidFiles ? error.complaints : [{ file, message }] }
  }
}

const LAST_GOOD = 'Its last good version stays in use.'

function describeEdit({ configFile: before = 'The config file' }: Settings, { configFile }: Settings): string {
  if (configFile !== undefined) return `${basename(configFile)} was edited.`
  return `${basename(before)} no longer exists, so the defaults apply.`
}

/** Returns nothing if the destination of calls is unchanged. */
function describeDestination(before: Settings, now: Settings): string[] {
  const calls = destinationOf(now)?.calls
  if (destinationOf(before)?.calls === calls) return []
  return [calls === undefined ? 'Calls are no longer forwarded: the mock answers them.' : `Calls are ${calls}.`]
}

function describeOutdated(sandboxes: readonly Sandbox[]): string[] {
  if (sandboxes.length === 0) return []
  const list = onOneLine(sandboxes.map(({ name }) => name ?? 'the root').join(', '))
  return [
    `These sandboxes keep the old fixtures, to which their records refer: ${list}. Reset a sandbox to load the new fixtures.`,
  ]
}

function describeScenarioChanges(before: ScenarioLibrary, now: ScenarioLibrary, listed: readonly string[]): string[] {
  const names = [...now.all(), ...before.all()].filter(({ forces }) => forces === undefined).map(({ name }) => name)
  return [...new Set(names)].flatMap((name) => {
    const [old, scenario] = [before.find(name), now.find(name)]
    if (old === scenario) return []
    const removed = listed.includes(name) ? "was removed, but 'active' still lists it" : 'was removed'
    const change = scenario === undefined ? removed : old === undefined ? 'was added' : 'was edited'
    return [`The scenario ${quote(name)} ${change}.`]
  })
}

function describeReplacement({ file }: FileComplaint, before: ScenarioLibrary, folder: string | undefined): string {
  if (file === folder)
    return existsSync(file) ? LAST_GOOD : 'Its scenarios are unavailable until the folder exists again.'
  const replaced = before.find(scenarioNameOf(file))
  if (replaced === undefined) return 'It is not in use.'
  return replaced.source === 'shipped' ? 'The shipped scenario of this name stays in use.' : LAST_GOOD
}
