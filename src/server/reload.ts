import { basename, dirname, extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { defaultFixtures } from '../package-root.js'
import { UnusableFiles } from '../text/invalid-files.js'
import type { Library } from '../world/scenarios/library.js'
import type { Settings } from '../world/settings.js'
import { countRecords } from '../world/state/collections.js'
import type { Worlds } from '../world/worlds.js'
import { describeComplaints, type FileNames } from './complaints-in-words.js'
import { CONFIG_FILES } from './config-file.js'
import { changesOf, describeConfig, describeEdit, describeForwarding } from './describe-edits.js'
import { loadFixtures, reopenLibrary, scenarioFolders } from './load-data.js'
import { editSettings } from './settings.js'
import { requireScenarios } from './unknown-scenarios.js'
import { FileSignatures, FolderWatcher, foldersOf, linkedFrom, realPathOf, statOf } from './watch-folders.js'

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

/** Applies edits to config, scenarios and fixtures while the server listens; unusable files change nothing. */
export function reloadOnEdits(app: FastifyInstance, worlds: Worlds, edits: Edits): void {
  const reload = new Reload(worlds, edits)
  let last: Promise<void> = Promise.resolve()
  let closed = false
  const take = (kinds: readonly Kind[]) => {
    last = last.then(async () => {
      for (const kind of kinds) await reload.take(kind)
      if (!closed) watcher.watch(Object.keys(reload.folders()))
    })
  }
  const watcher = new FolderWatcher(
    (changed) => {
      const folders = reload.folders()
      take([...new Set([...changed].flatMap((folder) => folders[folder] ?? []))])
    },
    (file) => reload.isRelevant(file),
    edits.notify,
  )
  app.addHook('onListen', (done) => {
    watcher.watch(Object.keys(reload.folders()))
    done()
  })
  app.addHook('onClose', (_, done) => {
    closed = true
    watcher.close()
    done()
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

const NOTHING: Taken = { done: [], wrong: [] }

class Reload {
  readonly #worlds: Worlds
  readonly #edits: Edits
  readonly #signatures = new FileSignatures()
  /** The files of fixtures that were last read, or should have been. */
  #tried: readonly string[] = []
  /** How files are named in what is said of them. */
  #names: FileNames
  /** What was last reported of each kind. */
  readonly #reported = new Map<Kind, string>()

  constructor(worlds: Worlds, edits: Edits) {
    this.#worlds = worlds
    this.#edits = edits
    // As they are now, they have been read.
    const { settings } = worlds.shared
    this.#names = settings
    this.#signatures.changed([...configFiles(settings), ...this.#fixturesFiles()])
  }

  /** The folders to watch, and what stands in each. */
  folders(): Record<string, Kind[]> {
    const { rereadSettings, fixturesFromFiles } = this.#edits
    const { settings, seeded } = this.#worlds.shared
    const { configFile, folder } = settings
    const ofConfig = configFile === undefined ? [folder] : foldersOf(configFile)
    const ofFixtures = [fixturesFolder(settings), ...[...seeded.files, ...this.#tried].flatMap(foldersOf)]
    const watched: Readonly<Record<Kind, readonly string[]>> = {
      config: rereadSettings === undefined ? [] : ofConfig,
      scenarios: scenarioFolders(settings).flatMap((folder) => [folder, ...linkedFrom(folder)]),
      fixtures: fixturesFromFiles ? ofFixtures : [],
    }
    const folders: Record<string, Kind[]> = {}
    for (const kind of kinds) {
      for (const folder of new Set(watched[kind])) folders[folder] = [...(folders[folder] ?? []), kind]
    }
    return folders
  }

  /** Whether a change of a file can matter; a name without an ending may be a folder's. */
  isRelevant(file: string): boolean {
    const { configFile, fixtures, persist } = this.#worlds.shared.settings
    // The state file, its lock and its successor change with every request.
    if (persist !== undefined && isStateFile(file, basename(persist))) return false
    const paths = [configFile, fixtures].filter((path) => path !== undefined)
    const names = paths.flatMap((path) => [path, realPathOf(path)]).map((path) => basename(path))
    return ['', '.yaml', '.yml', '.json'].includes(extname(file)) || names.includes(file)
  }

  /** Applies an edit, and reports its effects and complaints; complaints that were already reported are not repeated. */
  async take(kind: Kind): Promise<void> {
    const { done, wrong } = await this.#attempt(kind)
    const report = wrong.join('\n')
    if (![...this.#reported.values()].includes(report)) for (const text of wrong) this.#edits.notify(text)
    this.#reported.set(kind, report)
    if (done.length > 0) this.#edits.print(`${done.join(' ')} ${this.#onNow()}`)
  }

  async #attempt(kind: Kind): Promise<Taken> {
    this.#names = this.#worlds.shared.settings
    try {
      return await this.#take[kind]()
    } catch (error) {
      // Nothing that a file may hold ends the server.
      const isData = error instanceof UnusableFiles
      const why = isData ? await describeComplaints(error.complaints, this.#names) : (error as Error).message
      return { done: [], wrong: [`${why}\nThe last good version stays in use.`] }
    }
  }

  readonly #take: { readonly [K in Kind]: () => Promise<Taken> } = {
    config: async () => {
      const { rereadSettings, checkSettings, fixturesFromFiles } = this.#edits
      const { shared } = this.#worlds
      if (rereadSettings === undefined) return NOTHING
      const isEdited = this.#signatures.changed(configFiles(shared.settings))
      const edited = await rereadSettings()
      this.#names = edited
      const { settings, pending } = editSettings(shared.settings, edited)
      await checkSettings(settings)
      const library = reopenLibrary(shared.library, settings)
      const wrong = await this.#load(library, shared.library)
      // A scenario may have gone since the file listed it: what is listed is looked at when the list is edited.
      if (isEdited) await requireScenarios(library, settings)
      const forwarding = describeForwarding(shared.settings, settings)
      const moved = fixturesFromFiles && settings.fixtures !== shared.settings.fixtures
      const seeded = moved ? await loadFixtures(settings) : shared.seeded
      this.#worlds.use({ settings, library, seeded })
      if (isEdited) {
        this.#worlds.followSettings()
        for (const flag of pending) this.#edits.notify(`A new value of ${flag} needs a restart.`)
      }
      return {
        done: [
          ...(isEdited ? [describeConfig(shared.settings.configFile, settings.configFile)] : []),
          ...forwarding,
          ...changesOf(shared.library, library),
        ],
        wrong,
      }
    },
    scenarios: async () => {
      const { shared } = this.#worlds
      const library = reopenLibrary(shared.library, shared.settings)
      const wrong = await this.#load(library, shared.library)
      this.#worlds.use({ ...shared, library })
      return { done: changesOf(shared.library, library), wrong }
    },
    fixtures: async () => {
      const { shared } = this.#worlds
      if (!this.#signatures.changed(this.#fixturesFiles())) return NOTHING
      const files: string[] = []
      this.#tried = files
      const seeded = await loadFixtures(shared.settings, files).finally(() => this.#signatures.changed(files))
      this.#worlds.use({ ...shared, seeded })
      return { done: [`The fixtures were reloaded: ${countRecords(seeded.fixtures)} records.`], wrong: [] }
    },
  }

  /** Reads the scenario files, and says what is wrong with them. */
  async #load(library: Library, before: Library): Promise<readonly string[]> {
    const wrong = await Promise.all((await library.load()).map((one) => describeEdit(one, this.#names, before)))
    return [...wrong, ...(await Promise.all(library.notes.map((one) => describeComplaints([one], this.#names))))]
  }

  #fixturesFiles(): readonly string[] {
    const { settings, seeded } = this.#worlds.shared
    return [...new Set([settings.fixtures ?? defaultFixtures, ...seeded.files, ...this.#tried])]
  }

  /** What is on in the root. */
  #onNow(): string {
    const { library, playback } = this.#worlds.root
    const on = playback.active.filter((name) => library.find(name) !== undefined)
    return `On now: ${on.length === 0 ? 'no scenario' : on.join(', ')}.`
  }
}

/** Where the config file is, or where one may appear. */
function configFiles({ configFile, folder }: Settings): string[] {
  return configFile === undefined ? CONFIG_FILES.map((name) => join(folder, name)) : [configFile]
}

/** The state file, or its lock. */
function isStateFile(file: string, name: string): boolean {
  return file === name || file.startsWith(`${name}.lock`)
}

function fixturesFolder({ fixtures = defaultFixtures }: Settings): string {
  return statOf(fixtures)?.isDirectory() === true ? fixtures : dirname(fixtures)
}
