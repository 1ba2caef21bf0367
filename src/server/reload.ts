import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import { quote } from '../text/wording.js'
import type { Library } from '../world/scenarios/library.js'
import { nameOf } from '../world/scenarios/load.js'
import type { Settings } from '../world/settings.js'
import { countRecords } from '../world/state/collections.js'
import type { Worlds } from '../world/worlds.js'
import { describeComplaints } from './complaints.js'
import { CONFIG_FILES } from './config-file.js'
import { FileStamps } from './file-stamps.js'
import { loadFixtures, openLibrary, requireScenarios } from './load-data.js'
import { forwardedTo } from './provider-settings.js'
import { editSettings } from './settings.js'

/** How edits of files reach a server. */
export interface Edits {
  /** Takes what is wrong, or needs a restart. */
  readonly notify: (text: string) => void
  /** Takes what an edit did. */
  readonly print: (text: string) => void
  /** Reads the settings again; undefined where no config file is read. */
  readonly rereadSettings: (() => Promise<Settings>) | undefined
  /** Rejects settings that this server cannot use. */
  readonly checkSettings: (settings: Settings) => Promise<void>
  readonly fixturesFromFiles: boolean
}

/** Milliseconds between looks at the files (docs/decisions/006). */
const PAUSE = 100

/** Applies edits to config, scenarios and fixtures while the server listens; unusable files change nothing. */
export function reloadOnEdits(app: FastifyInstance, worlds: Worlds, edits: Edits): void {
  const reload = new Reload(worlds, edits)
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

/** What can be edited, in the order in which edits take effect. */
const kinds = ['config', 'scenarios', 'fixtures'] as const
type Kind = (typeof kinds)[number]

/** What an edit did, and what is wrong with it. */
interface Taken {
  readonly done: readonly string[]
  readonly wrong: readonly string[]
}

class Reload {
  readonly #worlds: Worlds
  readonly #edits: Edits
  readonly #stamps = { config: new FileStamps(), scenarios: new FileStamps(), fixtures: new FileStamps() }
  /** The files of fixtures that were last read, or should have been. */
  #tried: readonly string[] = []
  /** What was last reported of each kind. */
  readonly #reported = new Map<Kind, string>()

  constructor(worlds: Worlds, edits: Edits) {
    this.#worlds = worlds
    this.#edits = edits
    this.#addFiles()
  }

  /** Applies the edits since the last look, and reports their effects and complaints, each complaint once. */
  async look(): Promise<void> {
    for (const kind of kinds) {
      const changed = this.#stamps[kind].changed(this.#files(kind))
      if (changed.length === 0) continue
      const { done, wrong } = await this.#take(kind, changed)
      this.#addFiles()
      const report = wrong.join('\n')
      if (![...this.#reported.values()].includes(report)) for (const text of wrong) this.#edits.notify(text)
      this.#reported.set(kind, report)
      if (done.length > 0) this.#edits.print(`${done.join(' ')} ${this.#onNow()}`)
    }
  }

  /** As they are now, files that are new have been read. */
  #addFiles(): void {
    for (const kind of kinds) this.#stamps[kind].add(this.#files(kind))
  }

  #files(kind: Kind): readonly string[] {
    const { settings, seeded } = this.#worlds.shared
    const { configFile, folder, scenarios, fixtures } = settings
    const config = configFile === undefined ? CONFIG_FILES.map((name) => join(folder, name)) : [configFile]
    const { rereadSettings, fixturesFromFiles } = this.#edits
    return {
      config:
        rereadSettings === undefined ? [] : [...config, ...(scenarios === undefined ? [ownScenarios(folder)] : [])],
      scenarios: scenarios === undefined ? [] : [scenarios],
      fixtures: fixturesFromFiles
        ? [...(fixtures === undefined ? [] : [fixtures]), ...seeded.files, ...this.#tried]
        : [],
    }[kind]
  }

  async #take(kind: Kind, changed: readonly string[]): Promise<Taken> {
    try {
      if (kind === 'config') return await this.#takeConfig(changed)
      return kind === 'scenarios' ? await this.#takeScenarios() : await this.#takeFixtures()
    } catch (error) {
      // Nothing that a file may hold ends the server.
      const why = error instanceof InvalidFiles ? this.#describe(error.complaints) : (error as Error).message
      return { done: [], wrong: [`${why}\nThe last good version stays in use.`] }
    }
  }

  async #takeConfig(changed: readonly string[]): Promise<Taken> {
    const { shared } = this.#worlds
    const { rereadSettings, checkSettings, fixturesFromFiles } = this.#edits
    const { settings, pending } = editSettings(shared.settings, await rereadSettings!())
    await checkSettings(settings)
    const library = openLibrary(settings, shared.library.contracts, shared.library)
    const wrong = await this.#load(library)
    const isEdited = changed.some((path) => path !== ownScenarios(settings.folder))
    // A scenario may have gone since the file listed it: what is listed is looked at when the list is edited.
    if (isEdited) await requireScenarios(library, settings)
    const moved = fixturesFromFiles && settings.fixtures !== shared.settings.fixtures
    const seeded = moved ? await loadFixtures(settings) : shared.seeded
    this.#worlds.use({ settings, library, seeded })
    const done = [...describeForwarding(shared.settings, settings), ...changesOf(shared.library, library)]
    if (!isEdited) return { done, wrong }
    this.#worlds.followSettings()
    for (const flag of pending) this.#edits.notify(`A new value of ${flag} needs a restart.`)
    const { configFile = 'The config file' } = shared.settings
    const what =
      settings.configFile === undefined
        ? `${basename(configFile)} no longer exists, so the defaults apply.`
        : `${basename(settings.configFile)} was edited.`
    return { done: [what, ...done], wrong }
  }

  async #takeScenarios(): Promise<Taken> {
    const { shared } = this.#worlds
    const library = openLibrary(shared.settings, shared.library.contracts, shared.library)
    const wrong = await this.#load(library)
    this.#worlds.use({ ...shared, library })
    return { done: changesOf(shared.library, library), wrong }
  }

  async #takeFixtures(): Promise<Taken> {
    const { shared } = this.#worlds
    const files: string[] = []
    this.#tried = files
    const seeded = await loadFixtures(shared.settings, files)
    this.#worlds.use({ ...shared, seeded })
    return { done: [`The fixtures were reloaded: ${countRecords(seeded.fixtures)} records.`], wrong: [] }
  }

  /** Reads the scenario files, and says what is wrong with them, and what plays in their place. */
  async #load(library: Library): Promise<readonly string[]> {
    const before = this.#worlds.shared.library
    const wrong = (await library.load()).map((one) => `${this.#describe([one])}\n${inUse(one, before)}`)
    return [...wrong, ...library.notes.map((one) => this.#describe([one]))]
  }

  #describe(complaints: readonly FileComplaint[]): string {
    return describeComplaints(complaints, this.#worlds.shared.settings.folder)
  }

  /** What is on in the root. */
  #onNow(): string {
    const { library, playback } = this.#worlds.root
    const on = playback.active.filter((name) => library.find(name) !== undefined)
    return `On now: ${on.length === 0 ? 'no scenario' : on.join(', ')}.`
  }
}

/** The folder whose scenarios are taken without being named; it may be made later. */
function ownScenarios(folder: string): string {
  return join(folder, 'scenarios')
}

/** Where calls go after an edit, if that has changed. */
function describeForwarding(before: Settings, now: Settings): string[] {
  if (before.provider === now.provider && before.fallback === now.fallback) return []
  if (now.provider === undefined) return ['Calls are no longer forwarded: the mock answers them.']
  return [`Calls are ${forwardedTo(now)}.`]
}

/** The scenarios from files that were added, removed or changed. */
function changesOf(before: Library, now: Library): string[] {
  const names = [...now.all(), ...before.all()].filter(({ forces }) => forces === undefined).map(({ name }) => name)
  return [...new Set(names)].flatMap((name) => {
    const [old, scenario] = [before.find(name), now.find(name)]
    // What is shipped is read when it is first wanted, and was there before.
    if (old === scenario || (old === undefined && scenario?.source === 'shipped')) return []
    const what = scenario === undefined ? 'was removed' : old === undefined ? 'was added' : 'was edited'
    return [`The scenario ${quote(name)} ${what}.`]
  })
}

const LAST_GOOD = 'Its last good version stays in use.'

function inUse({ subject, reason, file }: FileComplaint, before: Library): string {
  if (subject === 'scenarios' && reason === 'ENOENT') return 'Its scenarios are gone until it is there again.'
  // A folder that cannot be read leaves all as it was.
  if (subject === 'scenarios') return LAST_GOOD
  const stays = before.find(nameOf(file))
  if (stays === undefined) return 'It is not in use.'
  return stays.source === 'shipped' ? 'The shipped scenario of this name stays in use.' : LAST_GOOD
}
