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
import type { Seeded } from '../engine/sandbox/settings.js'
import { describeComplaints, relativePath } from './complaints.js'
import { CONFIG_FILES } from './config-file.js'
import { loadFixtures, loadScenarios, requireScenarios, type SettledApi } from './load-data.js'
import { defaultFolder, editSettings, type Settings } from './settings.js'
import { checkTools, elsewhereOf } from './tools.js'

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
  settled: SettledApi,
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
  /** When read, and at the last look. */
  #read: Stamps
  #last: Stamps
  #looks = 0
  /** Fixture files of the last attempt. */
  #tried: string[] = []
  /** A rejected config becomes valid when a file that it names does. */
  #rejected: Settings | undefined
  #complaints: { readonly config: readonly FileComplaint[]; readonly fixtures: readonly FileComplaint[] } = {
    config: [],
    fixtures: [],
  }
  #reported: readonly string[] = []
  /** Rejected fixtures may fit the root's records after a change of these. */
  #isRootChanged = false
  #needsRestart: readonly string[] = []

  constructor(
    private readonly sandboxes: Sandboxes<Settings>,
    private readonly settled: SettledApi,
    private readonly edits: Edits,
  ) {
    this.#read = this.#stamps()
    this.#last = this.#read
  }

  /** Reports effects, and each complaint once. */
  async look(): Promise<void> {
    const changed = this.#settledChanges()
    const retriesFixtures = this.#isRootChanged
    if (changed.length === 0 && !retriesFixtures) return
    this.#isRootChanged = false
    const { data: before } = this.sandboxes
    const files = this.#files()
    const hasChanged = (some: readonly string[]) => some.some((one) => changed.includes(one))
    // A rejected config may be valid by now.
    const isEdited = hasChanged(files.config) || this.#complaints.config.length > 0
    const config = await attempt('config', before.settings.configFile, () => this.#settings(isEdited))
    const settings = config.value ?? before.settings
    const { library, complaints, warnings } = await loadScenarios(this.settled, settings, before.library)
    const isReseeded = settings.fixtures !== before.settings.fixtures || hasChanged(files.fixtures) || retriesFixtures
    const fixtures = await attempt('fixtures', settings.fixtures, () =>
      isReseeded ? this.#seeded(settings) : before.seeded,
    )
    const seeded = fixtures.value ?? before.seeded
    const ofFixtures = isReseeded ? fixtures.complaints : this.#complaints.fixtures
    this.#complaints = { config: config.complaints, fixtures: ofFixtures }
    this.sandboxes.off('change', this.#noteRootChange)
    if (ofFixtures.length > 0) this.sandboxes.on('change', this.#noteRootChange)
    const unusable = [...config.complaints, ...complaints, ...ofFixtures]
    const named = unusable.map((one) => ({ ...one, file: relativePath(settings.folder, one.file) }))
    const unfit = this.sandboxes.use({
      settings,
      library,
      seeded,
      complaints: named,
      needsRestart: this.#needsRestart,
    })
    // New files were read just now.
    this.#read = new Map([...this.#stamps(), ...this.#read])
    const isTaken = isEdited && settings !== before.settings
    if (isTaken) this.sandboxes.followSettings()
    const describe = (...some: readonly FileComplaint[]) => describeComplaints(some, settings.folder)
    const wrong = [
      ...config.complaints.map((one) => `${describe(one)}\n${LAST_GOOD}`),
      ...complaints.map((one) => `${describe(one)}\n${describeReplacement(one, before.library, settings.scenarios)}`),
      ...warnings.map((one) => describe(one)),
      ...fixtures.complaints.map((one) => `${describe(one)}\n${LAST_GOOD}`),
    ]
    for (const text of wrong) if (!this.#reported.includes(text)) this.edits.notify(text)
    this.#reported = wrong
    const done = [
      ...(isTaken ? [describeEdit(before.settings, settings)] : []),
      ...describeElsewhere(before.settings, settings),
      ...changesOf(before.library, library),
      ...(seeded === before.seeded ? [] : [`The fixtures were reloaded: ${countRecords(seeded.fixtures)} records.`]),
      ...describeUnfit(unfit),
    ]
    if (done.length > 0) this.edits.print(`${done.join(' ')} ${this.#describeActive()}`)
  }

  readonly #noteRootChange = (kind: ChangeKind, { name }: Sandbox) => {
    if (kind === 'state' && name === null) this.#isRootChanged = true
  }

  /** Undefined for settings that this server cannot use. */
  async #settings(isEdited: boolean): Promise<Settings> {
    const { settings: before, library: known } = this.sandboxes.data
    if (this.edits.rereadSettings === undefined) return before
    if (isEdited) this.#rejected = undefined
    const { settings, pending } = editSettings(before, await this.edits.rereadSettings())
    checkTools(settings)
    // Default folders may be new.
    if (!isEdited)
      return {
        ...before,
        scenarios: before.scenarios ?? settings.scenarios,
        fixtures: before.fixtures ?? settings.fixtures,
      }
    this.#rejected = settings
    // A listed scenario may be deleted later without a complaint.
    const { library } = await loadScenarios(this.settled, settings, known)
    await requireScenarios(library, settings)
    this.#rejected = undefined
    this.#needsRestart = pending
    for (const flag of pending) this.edits.notify(`A new value of ${flag} needs a restart.`)
    return settings
  }

  async #seeded(settings: Settings): Promise<Seeded> {
    if (this.edits.fixtures !== undefined) return this.sandboxes.data.seeded
    this.#tried = []
    const seeded = await loadFixtures(this.settled, settings, this.#tried)
    await this.#requireConsistent(settings.fixtures ?? 'fixtures', seeded)
    return seeded
  }

  /** The next start must be able to read what is stored. @throws {InvalidFiles} with records that do not fit */
  async #requireConsistent(file: string, seeded: Seeded): Promise<void> {
    const { state } = this.sandboxes.root
    const found: FileComplaint[] = []
    const check = () => requireConsistent(state.rebased(seeded), state.definitions, new Map())
    await collectComplaints(found, check)
    const rest = 'Mend the file, delete the record, or reset the sandbox.'
    if (found.length > 0) throw new InvalidFiles(found.map(({ message }) => ({ file, message: `${message} ${rest}` })))
  }

  /** Waits while files still change. */
  #settledChanges(): readonly string[] {
    const stamps = this.#stamps()
    const isSettled = [...stamps].every(([path, stamp]) => (this.#last.get(path) ?? stamp) === stamp)
    this.#last = stamps
    if (!isSettled && ++this.#looks < MOST_LOOKS) return []
    this.#looks = 0
    const changed = [...stamps].filter(([path, stamp]) => (this.#read.get(path) ?? stamp) !== stamp)
    this.#read = stamps
    return changed.map(([path]) => path)
  }

  #stamps(): Stamps {
    const paths = Object.values(this.#files()).flat()
    return new Map(paths.map((path) => [path, stampOf(path)]))
  }

  #files() {
    const { settings, seeded } = this.sandboxes.data
    const { configFile, folder } = settings
    const { rereadSettings, fixtures: given } = this.edits
    const config = configFile === undefined ? CONFIG_FILES.map((name) => join(folder, name)) : [configFile]
    const named = (name: 'scenarios' | 'fixtures') => {
      // The default folder may be new.
      const own = settings[name] ?? (rereadSettings && defaultFolder(name, configFile, folder))
      return [own, this.#rejected?.[name]].filter((path) => path !== undefined)
    }
    return {
      config: rereadSettings === undefined ? [] : config,
      scenarios: named('scenarios'),
      fixtures: given === undefined ? [...named('fixtures'), ...seeded.files, ...this.#tried] : [],
    }
  }

  #describeActive(): string {
    const { library, player } = this.sandboxes.root
    const on = player.active.filter((name) => library.find(name) !== undefined)
    return `Active scenarios: ${on.join(', ') || 'none'}.`
  }
}

/** No file ends the server. */
async function attempt<T>(
  part: string,
  file = part,
  work: () => Promise<T> | T,
): Promise<{ readonly value?: T; readonly complaints: readonly FileComplaint[] }> {
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
function describeElsewhere(before: Settings, now: Settings): string[] {
  const calls = elsewhereOf(now)?.calls
  if (elsewhereOf(before)?.calls === calls) return []
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
