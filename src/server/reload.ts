import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { quote } from '../engine/contract/wording.js'
import { countRecords, type Fixtures } from '../engine/files/collections.js'
import { requireConsistent } from '../engine/files/consistency.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../engine/files/invalid-files.js'
import { stampOf } from '../engine/files/stamp.js'
import type { ChangeKind, Sandbox } from '../engine/sandbox/sandbox.js'
import type { Sandboxes } from '../engine/sandbox/sandboxes.js'
import type { ScenarioLibrary } from '../engine/sandbox/scenarios/library.js'
import { nameOf } from '../engine/sandbox/scenarios/load.js'
import type { SeedData } from '../engine/sandbox/settings.js'
import { CONFIG_FILES } from './config-file.js'
import { describeComplaints, relativePath } from './describe-complaints.js'
import { type ConfiguredApi, loadFixtures, loadScenarios, requireScenarios } from './load-data.js'
import { defaultFolder, editSettings, type Settings } from './settings.js'
import { checkTools, destinationOf } from './tools.js'

export interface Edits {
  /** Gets warnings. */
  readonly notify: (text: string) => void
  /** Gets exchanges, mails and effects of edits. */
  readonly print: (text: string) => void
  /** Without it, edits of the config file have no effect. */
  readonly rereadSettings?: () => Promise<Settings>
  /** Instead of the settings' fixtures. */
  readonly fixtures?: Fixtures
}

/** Milliseconds (docs/decisions/006). */
const PAUSE = 100
/** An editor's save may be several changes. */
const MOST_LOOKS = 5

/** A broken file changes nothing. */
export function reloadOnEdits(
  app: FastifyInstance,
  sandboxes: Sandboxes<Settings>,
  settled: ConfiguredApi,
  edits: Edits,
): void {
  const reload = new Reload(sandboxes, settled, edits)
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    // No file ends the server.
    await reload.look().catch(({ message }: Error) => edits.notify(`The edit cannot be used: ${message}.`))
    await lookLater()
  }
  const lookLater = async () => {
    if (!closed.signal.aborted) timer = setTimeout(look, PAUSE).unref()
  }
  const closed = new AbortController()
  app.addHook('onListen', lookLater)
  app.addHook('onClose', async () => {
    closed.abort()
    clearTimeout(timer)
  })
}

type Stamps = ReadonlyMap<string, string>

class Reload {
  /** At the last load, and at the last look. */
  #loaded: Stamps
  #last: Stamps
  #looks = 0
  /** Of the config and the fixtures that are in use. */
  #used: { config: string; fixtures: string }
  /** Files that the last load met, also those of a config that cannot be used. */
  #met: string[] = []
  #isRootChanged = false
  #reported: readonly string[] = []

  constructor(
    private readonly sandboxes: Sandboxes<Settings>,
    private readonly settled: ConfiguredApi,
    private readonly edits: Edits,
  ) {
    this.#last = this.#loaded = this.#stamps()
    const { settings, seeded } = sandboxes.data
    this.#used = { config: stampsOf(this.#configFiles()), fixtures: seedStamps(settings, seeded) }
  }

  /** Loads all files after a change of any; reports effects, and each complaint once. */
  async look(): Promise<void> {
    if (!this.#isSettledChange() && !this.#isRootChanged) return
    this.#isRootChanged = false
    const { data: before } = this.sandboxes
    this.#met = []
    const configStamp = stampsOf(this.#configFiles())
    const isEdited = configStamp !== this.#used.config
    const config = await attempt('config', before.settings.configFile, () => this.#loadSettings(isEdited))
    const { settings, pending = [] } = config.value ?? { settings: before.settings, pending: before.needsRestart }
    const { library, complaints, warnings } = await loadScenarios(this.settled, settings, before.library)
    const fixtures = await attempt('fixtures', settings.fixtures, () => this.#loadSeeds(settings))
    const seeded = fixtures.value ?? before.seeded
    const unusable = [...config.complaints, ...complaints, ...fixtures.complaints]
    const named = unusable.map((one) => ({ ...one, file: relativePath(settings.folder, one.file) }))
    const unfit = this.sandboxes.use({ settings, library, seeded, complaints: named, needsRestart: pending })
    const isTaken = isEdited && config.value !== undefined
    if (isTaken) this.#used.config = configStamp
    if (isTaken) this.sandboxes.followSettings()
    // Refused fixtures may fit the root's records after a change of these.
    this.sandboxes.off('change', this.#noteRootChange)
    if (fixtures.complaints.length > 0) this.sandboxes.on('change', this.#noteRootChange)
    // New files were read just now.
    this.#loaded = new Map([...this.#stamps(), ...this.#loaded])
    const describe = (one: FileComplaint, ...rest: string[]) =>
      [describeComplaints([one], settings.folder), ...rest].join('\n')
    const wrong = [
      ...pending.map((flag) => `A new value of ${flag} needs a restart.`),
      ...config.complaints.map((one) => describe(one, LAST_GOOD)),
      ...complaints.map((one) => describe(one, describeReplacement(one, before.library, settings.scenarios))),
      ...warnings.map((one) => describe(one)),
      ...fixtures.complaints.map((one) => describe(one, LAST_GOOD)),
    ]
    for (const text of wrong) if (!this.#reported.includes(text)) this.edits.notify(text)
    this.#reported = wrong
    const done = [
      ...(isTaken ? [describeEdit(before.settings, settings)] : []),
      ...describeDestination(before.settings, settings),
      ...changesOf(before.library, library),
      ...(seeded === before.seeded ? [] : [`The fixtures were reloaded: ${countRecords(seeded.fixtures)} records.`]),
      ...describeUnfit(unfit),
    ]
    if (done.length > 0) this.edits.print(`${done.join(' ')} ${this.#describeActive()}`)
  }

  /** Without an edit, default folders may be new, or gone. @throws for settings that this server cannot use */
  async #loadSettings(isEdited: boolean): Promise<{ settings: Settings; pending: readonly string[] }> {
    const { settings: before, library: known } = this.sandboxes.data
    if (this.edits.rereadSettings === undefined) return { settings: before, pending: [] }
    const edited = editSettings(before, await this.edits.rereadSettings())
    const { settings, pending } = edited
    if (!isEdited) {
      const { scenarios = settings.scenarios } = before
      return { settings: { ...before, scenarios, fixtures: settings.fixtures }, pending }
    }
    this.#met.push(...[settings.scenarios, settings.fixtures].filter((path) => path !== undefined))
    checkTools(settings)
    // A listed scenario may be deleted later without a complaint.
    const { library } = await loadScenarios(this.settled, settings, known)
    await requireScenarios(library, settings)
    return edited
  }

  /** Keeps what is in use, unless a file has changed. @throws {InvalidFiles} */
  async #loadSeeds(settings: Settings): Promise<SeedData> {
    const { seeded: before } = this.sandboxes.data
    if (this.edits.fixtures !== undefined || seedStamps(settings, before) === this.#used.fixtures) return before
    const seeded = await loadFixtures(this.settled, settings, this.#met)
    await this.#requireConsistent(settings.fixtures ?? 'fixtures', seeded)
    this.#used.fixtures = seedStamps(settings, seeded)
    return seeded
  }

  /** The next start must be able to read what is stored. @throws {InvalidFiles} with records that do not fit */
  async #requireConsistent(file: string, seeded: SeedData): Promise<void> {
    const { state } = this.sandboxes.root
    const found: FileComplaint[] = []
    const check = () => requireConsistent(state.withEditedFixtures(seeded), state.definitions, new Map())
    await collectComplaints(found, check)
    const rest = 'Mend the file, delete the record, or reset the sandbox.'
    if (found.length > 0) throw new InvalidFiles(found.map(({ message }) => ({ file, message: `${message} ${rest}` })))
  }

  readonly #noteRootChange = (kind: ChangeKind, { name }: Sandbox) => {
    if (kind === 'state' && name === null) this.#isRootChanged = true
  }

  /** False while files still change. */
  #isSettledChange(): boolean {
    const stamps = this.#stamps()
    const isSettled = [...stamps].every(([path, stamp]) => (this.#last.get(path) ?? stamp) === stamp)
    this.#last = stamps
    if (!isSettled && ++this.#looks < MOST_LOOKS) return false
    this.#looks = 0
    const isChanged = [...stamps].some(([path, stamp]) => (this.#loaded.get(path) ?? stamp) !== stamp)
    this.#loaded = stamps
    return isChanged
  }

  #stamps(): Stamps {
    const { settings, seeded } = this.sandboxes.data
    const { rereadSettings, fixtures: given } = this.edits
    const { configFile, folder } = settings
    const named = (name: 'scenarios' | 'fixtures') =>
      settings[name] ?? (rereadSettings && defaultFolder(name, configFile, folder)) ?? []
    const fixtures = given === undefined ? [named('fixtures'), seeded.files] : []
    const paths = [this.#configFiles(), named('scenarios'), fixtures, this.#met].flat(2)
    return new Map(paths.map((path) => [path, stampOf(path)]))
  }

  #configFiles(): readonly string[] {
    const { configFile, folder } = this.sandboxes.data.settings
    if (this.edits.rereadSettings === undefined) return []
    return configFile === undefined ? CONFIG_FILES.map((name) => join(folder, name)) : [configFile]
  }

  #describeActive(): string {
    const { library, player } = this.sandboxes.root
    const on = player.active.filter((name) => library.find(name) !== undefined)
    return `Active scenarios: ${on.join(', ') || 'none'}.`
  }
}

function seedStamps({ fixtures }: Settings, { files }: SeedData): string {
  return stampsOf([fixtures ?? [], files].flat())
}

function stampsOf(paths: readonly string[]): string {
  return paths.map((path) => `${path} ${stampOf(path)}`).join('\n')
}

/** No file ends the server. */
async function attempt<T>(part: string, file = part, work: () => Promise<T>) {
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

/** Empty if calls go to the same place as before. */
function describeDestination(before: Settings, now: Settings): string[] {
  const calls = destinationOf(now)?.calls
  if (destinationOf(before)?.calls === calls) return []
  return [calls === undefined ? 'Calls are no longer forwarded: the mock answers them.' : `Calls are ${calls}.`]
}

const MOST_NAMED = 5

function describeUnfit(sandboxes: readonly Sandbox[]): string[] {
  if (sandboxes.length === 0) return []
  const names = sandboxes.map(({ name }) => name ?? 'the root')
  const more = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : []
  return [
    `These sandboxes still use the old fixtures, because their own records refer to them; reset them to load the new ones: ${[...names.slice(0, MOST_NAMED), ...more].join(', ')}.`,
  ]
}

function changesOf(before: ScenarioLibrary, now: ScenarioLibrary): string[] {
  const names = [...now.all(), ...before.all()].filter(({ forces }) => forces === undefined).map(({ name }) => name)
  return [...new Set(names)].flatMap((name) => {
    const [old, scenario] = [before.find(name), now.find(name)]
    if (old === scenario) return []
    const change = scenario === undefined ? 'was removed' : old === undefined ? 'was added' : 'was edited'
    return [`The scenario ${quote(name)} ${change}.`]
  })
}

function describeReplacement({ file }: FileComplaint, before: ScenarioLibrary, folder: string | undefined): string {
  if (file === folder)
    return existsSync(file) ? LAST_GOOD : 'Its scenarios are unavailable until the folder exists again.'
  const stays = before.find(nameOf(file))
  if (stays === undefined) return 'It is not in use.'
  return stays.source === 'shipped' ? 'The shipped scenario of this name stays in use.' : LAST_GOOD
}
