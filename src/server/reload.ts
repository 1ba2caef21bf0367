import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Fixtures } from '../api/records.js'
import { quote } from '../engine/contract/wording.js'
import { countRecords } from '../engine/files/collections.js'
import { type FileComplaint, InvalidFiles } from '../engine/files/invalid-files.js'
import { isDataFile } from '../engine/files/source-file.js'
import type { Sandboxes } from '../engine/sandbox/sandboxes.js'
import type { Library } from '../engine/sandbox/scenarios/library.js'
import { nameOf } from '../engine/sandbox/scenarios/load.js'
import type { Shared } from '../engine/sandbox/settings.js'
import { checkProvider, forwardingText } from '../tools/forward/settings.js'
import { describeComplaints, relativePath } from './complaints.js'
import { CONFIG_FILES } from './config-file.js'
import { loadFixtures, loadScenarios, requireScenarios } from './load-data.js'
import { defaultFolder, editSettings, type Settings } from './settings.js'

/** How edits of files reach a server. */
export interface Edits {
  /** Called with warnings while the server runs, such as a scenario file that cannot be used. */
  readonly notify: (text: string) => void
  /** Called with other messages while the server runs: exchanges, mails, effects of edits. */
  readonly print: (text: string) => void
  /** Reads the settings again after the config file was edited; without it, such edits have no effect. */
  readonly rereadSettings?: () => Promise<Settings>
  /** Stand in for the fixtures that the settings name. */
  readonly fixtures?: Fixtures
}

/** Milliseconds between looks at the files (docs/decisions/006). */
const PAUSE = 100
/** How often a change is looked at again while files still change: an editor's save is several changes. */
const MOST_LOOKS = 5

/** Applies edits to config, scenarios and fixtures while the server listens; unusable files change nothing. */
export function reloadOnEdits(app: FastifyInstance, sandboxes: Sandboxes, edits: Edits): void {
  const reload = new Reload(sandboxes, edits)
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const look = async () => {
    await reload.look()
    if (!closed) timer = setTimeout(look, PAUSE).unref()
  }
  app.addHook('onListen', look)
  app.addHook('onClose', async () => {
    closed = true
    clearTimeout(timer)
  })
}

type Stamps = ReadonlyMap<string, string>

class Reload {
  readonly #sandboxes: Sandboxes
  readonly #edits: Edits
  /** The files as they were when they were read, and at the last look. */
  #read: Stamps
  #last: Stamps
  #looks = 0
  /** The files of fixtures that were last read, or should have been. */
  #tried: string[] = []
  #reported: readonly string[] = []
  /** About files that were rejected when they were last read. */
  readonly #rejected: Record<'config' | 'fixtures', readonly FileComplaint[]> = { config: [], fixtures: [] }
  /** The settings of an edit that was rejected: it is tried again as soon as a file changes that they name. */
  #rejectedSettings: Settings | undefined

  constructor(sandboxes: Sandboxes, edits: Edits) {
    this.#sandboxes = sandboxes
    this.#edits = edits
    this.#read = this.#stamps()
    this.#last = this.#read
  }

  /** Applies the edits since the last look, and reports their effects and complaints, each complaint once. */
  async look(): Promise<void> {
    const changed = this.#settledChanges()
    if (changed.length === 0) return
    const { config, scenarios, fixtures } = this.#files()
    const shared = this.#shared
    const hasChanged = (files: readonly string[]) => files.some((one) => changed.includes(one))
    const wrong: string[] = []
    const attempt = async <T>(kind: 'config' | 'fixtures', work: () => Promise<T>, before: T): Promise<T> => {
      this.#rejected[kind] = []
      try {
        return await work()
      } catch (error) {
        // No content of a file may end the server.
        const { message } = error as Error
        const isLocated = error instanceof InvalidFiles
        const why = isLocated ? this.#describe(error.complaints) : message
        const file = (kind === 'config' ? shared.settings.configFile : shared.settings.fixtures) ?? kind
        this.#rejected[kind] = isLocated ? error.complaints : [{ file, message }]
        wrong.push(`${why}\nThe last good version stays in use.`)
        return before
      }
    }
    // What a rejected config lists may exist by now.
    const isEdited = hasChanged(config) || this.#rejected.config.length > 0
    const { settings: used } = shared
    const isFound = (name: 'scenarios' | 'fixtures', files: readonly string[]) =>
      used[name] === undefined && hasChanged(files)
    const isReread = isEdited || isFound('scenarios', scenarios) || isFound('fixtures', fixtures)
    const settings = isReread
      ? await attempt('config', () => this.#rereadSettings(isEdited), shared.settings)
      : shared.settings
    const { library, complaints, notes } = await loadScenarios(settings, shared.library.contracts, shared.library)
    for (const one of complaints)
      wrong.push(`${this.#describe([one])}\n${describeReplacement(one, shared.library, settings.scenarios)}`)
    wrong.push(...notes.map((one) => this.#describe([one])))
    const isMoved = this.#edits.fixtures === undefined && settings.fixtures !== shared.settings.fixtures
    const isReseeded = isMoved || hasChanged(fixtures)
    if (isReseeded) this.#tried = []
    const seeded = isReseeded
      ? await attempt('fixtures', () => loadFixtures(settings, this.#tried), shared.seeded)
      : shared.seeded
    const unusable = [...this.#rejected.config, ...complaints, ...this.#rejected.fixtures]
    const named = unusable.map((one) => ({ ...one, file: relativePath(settings.folder, one.file) }))
    this.#sandboxes.use({ settings, library, seeded, complaints: named })
    // Files that the edit has made known were read just now.
    this.#read = new Map([...this.#stamps(), ...this.#read])
    const isTaken = isEdited && settings !== shared.settings
    if (isTaken) this.#sandboxes.followSettings()
    for (const text of wrong) if (!this.#reported.includes(text)) this.#edits.notify(text)
    this.#reported = wrong
    const done = [
      ...(isTaken ? [describeEdit(shared.settings, settings)] : []),
      ...describeForwarding(shared.settings, settings),
      ...changesOf(shared.library, library),
      ...(seeded === shared.seeded ? [] : [`The fixtures were reloaded: ${countRecords(seeded.fixtures)} records.`]),
    ]
    if (done.length > 0) this.#edits.print(`${done.join(' ')} ${this.#describeActive()}`)
  }

  /** The settings after an edit, if this server can use them. */
  async #rereadSettings(isEdited: boolean): Promise<Settings> {
    const shared = this.#shared
    if (isEdited) this.#rejectedSettings = undefined
    const { settings, pending } = editSettings(shared.settings, await this.#edits.rereadSettings!())
    checkProvider(settings)
    // A listed scenario may be deleted later without a complaint.
    if (isEdited) {
      const { library } = await loadScenarios(settings, shared.library.contracts, shared.library)
      this.#rejectedSettings = settings
      await requireScenarios(library, settings)
      this.#rejectedSettings = undefined
    }
    for (const flag of isEdited ? pending : []) this.#edits.notify(`A new value of ${flag} needs a restart.`)
    return settings
  }

  /** The files and folders that have changed since they were read; none while they still change. */
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
    const { settings, seeded } = this.#shared
    const { configFile, folder } = settings
    const { rereadSettings, fixtures: given } = this.#edits
    const config = configFile === undefined ? CONFIG_FILES.map((name) => join(folder, name)) : [configFile]
    const named = (name: 'scenarios' | 'fixtures') => {
      // The default folder may be made later.
      const own = settings[name] ?? (rereadSettings && defaultFolder(name, configFile, folder))
      return [own, this.#rejectedSettings?.[name]].filter((path) => path !== undefined)
    }
    return {
      config: rereadSettings === undefined ? [] : config,
      scenarios: named('scenarios'),
      fixtures: given === undefined ? [...named('fixtures'), ...seeded.files, ...this.#tried] : [],
    }
  }

  get #shared(): Shared & { readonly settings: Settings } {
    return this.#sandboxes.shared as Shared & { readonly settings: Settings }
  }

  #describe(complaints: readonly FileComplaint[]): string {
    return describeComplaints(complaints, this.#shared.settings.folder)
  }

  /** The scenarios that are on in the root. */
  #describeActive(): string {
    const { library, playback } = this.#sandboxes.root
    const on = playback.active.filter((name) => library.find(name) !== undefined)
    return `Active scenarios: ${on.join(', ') || 'none'}.`
  }
}

function describeEdit({ configFile: before = 'The config file' }: Settings, { configFile }: Settings): string {
  if (configFile !== undefined) return `${basename(configFile)} was edited.`
  return `${basename(before)} no longer exists, so the defaults apply.`
}

/** Tells a file, or the files of a folder, from others in its place, also behind a symbolic link. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true })
    const { dev, ino, size, mtimeNs, ctimeNs } = stats
    // Archives and `touch -d` set the time of the content, and nothing sets that of the change.
    if (!stats.isDirectory()) return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
    const files = readdirSync(path).filter(isDataFile)
    return [`${dev} ${ino}`, ...files.sort().map((name) => `${name} ${stampOf(join(path, name))}`)].join('\n')
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`
  }
}

/** Where calls go after an edit, if that has changed. */
function describeForwarding(before: Settings, now: Settings): string[] {
  if (before.provider === now.provider && before.fallback === now.fallback) return []
  if (now.provider === undefined) return ['Calls are no longer forwarded: the mock answers them.']
  return [`Calls are ${forwardingText(now)}.`]
}

/** The scenarios from files that were added, removed or changed. */
function changesOf(before: Library, now: Library): string[] {
  const names = [...now.all(), ...before.all()].filter(({ forces }) => forces === undefined).map(({ name }) => name)
  return [...new Set(names)].flatMap((name) => {
    const [old, scenario] = [before.find(name), now.find(name)]
    if (old === scenario) return []
    const change = scenario === undefined ? 'was removed' : old === undefined ? 'was added' : 'was edited'
    return [`The scenario ${quote(name)} ${change}.`]
  })
}

const LAST_GOOD = 'Its last good version stays in use.'

function describeReplacement({ file }: FileComplaint, before: Library, folder: string | undefined): string {
  if (file === folder)
    return existsSync(file) ? LAST_GOOD : 'Its scenarios are unavailable until the folder exists again.'
  const stays = before.find(nameOf(file))
  if (stays === undefined) return 'It is not in use.'
  return stays.source === 'shipped' ? 'The shipped scenario of this name stays in use.' : LAST_GOOD
}
