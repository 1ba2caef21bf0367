import { basename, dirname, extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Contract } from '../../schemas/contract.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { defaultFixtures } from '../package-root.js'
import { describeComplaint, type FileComplaint } from '../text/invalid-files.js'
import { quote } from '../text/wording.js'
import type { Library } from '../world/scenarios/library.js'
import { nameOf } from '../world/scenarios/load.js'
import { activeScenarios, type Settings } from '../world/settings.js'
import type { Worlds } from '../world/worlds.js'
import { loadFixtures, requireScenarios, scenarioFolders, scenarioReader } from './load-data.js'
import { editSettings } from './settings.js'
import { FolderWatcher, statOf } from './watch-folders.js'

/** How edits of files reach a server. */
export interface Edits {
  readonly contracts: readonly Contract[]
  readonly notify: (text: string) => void
  /** Reads the settings again; undefined where no config file is read. */
  readonly rereadSettings: (() => Promise<Settings>) | undefined
  readonly fixturesFromFiles: boolean
}

/** Has edits of config, scenarios and fixtures take effect while the server listens; what cannot be used changes nothing. */
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

/** What is edited, in the order in which edits take effect. */
type Kind = 'config' | 'scenarios' | 'fixtures'

class Reload {
  readonly #worlds: Worlds
  readonly #edits: Edits
  /** What was last reported of each kind. */
  readonly #reported = new Map<Kind, string>()

  constructor(worlds: Worlds, edits: Edits) {
    this.#worlds = worlds
    this.#edits = edits
  }

  /** The folders to watch, and what stands in each. */
  folders(): Record<string, Kind[]> {
    const { rereadSettings, fixturesFromFiles } = this.#edits
    const { settings } = this.#worlds.shared
    const folders: Record<string, Kind[]> = {}
    const add = (folder: string, kind: Kind) => {
      folders[folder] = [...(folders[folder] ?? []), kind]
    }
    const { configFile, interpretations } = settings
    if (rereadSettings !== undefined) {
      add(configFile === undefined ? settings.folder : dirname(configFile), 'config')
      if (interpretations !== undefined) add(dirname(interpretations), 'config')
    }
    for (const folder of scenarioFolders(settings)) add(folder, 'scenarios')
    if (fixturesFromFiles) add(fixturesFolder(settings), 'fixtures')
    return folders
  }

  /** Whether a change of a file can matter; a name without an ending may be a folder's. */
  isRelevant(file: string): boolean {
    const { configFile, fixtures, interpretations, persist } = this.#worlds.shared.settings
    // The state file, its lock and its successor change with every request.
    if (persist !== undefined && isStateFile(file, basename(persist))) return false
    const names = [configFile, fixtures, interpretations].flatMap((path) => (path === undefined ? [] : basename(path)))
    return ['', '.yaml', '.yml', '.json'].includes(extname(file)) || names.includes(file)
  }

  /** Has an edit take effect, and reports what is wrong with it; what was reported before is not repeated. */
  async take(kind: Kind): Promise<void> {
    const texts: string[] = []
    try {
      texts.push(...(await this.#take[kind]()))
    } catch (error) {
      // Nothing that a file may hold ends the server.
      texts.push(`${(error as Error).message}\nThe last good version stays in use.`)
    }
    const report = texts.join('\n')
    if (![...this.#reported.values()].includes(report)) for (const text of texts) this.#edits.notify(text)
    this.#reported.set(kind, report)
  }

  readonly #take: { readonly [K in Kind]: () => Promise<readonly string[]> } = {
    config: async () => {
      const { contracts, rereadSettings } = this.#edits
      const { shared } = this.#worlds
      if (rereadSettings === undefined) return []
      const { settings, pending } = editSettings(shared.settings, await rereadSettings())
      const under = contractsUnder(contracts, settings.readings)
      const library = shared.library.edited(under, scenarioReader(settings, contracts))
      const complaints = await library.load()
      await requireScenarios(library, activeScenarios(settings))
      const moved = this.#edits.fixturesFromFiles && settings.fixtures !== shared.settings.fixtures
      const seeded = moved ? await loadFixtures(settings) : shared.seeded
      this.#worlds.use({ settings, library, seeded })
      const restarts = pending.map((flag) => `A new value of --${flag} needs a restart.`)
      return [...complaints.map((one) => describeEdit(one, shared.library)), ...restarts]
    },
    scenarios: async () => {
      const { contracts } = this.#edits
      const { shared } = this.#worlds
      const under = contractsUnder(contracts, shared.settings.readings)
      const library = shared.library.edited(under, scenarioReader(shared.settings, contracts))
      const complaints = await library.load()
      this.#worlds.use({ ...shared, library })
      const { active } = this.#worlds.root.playback
      const gone = active.filter((name) => shared.library.find(name) !== undefined && library.find(name) === undefined)
      return [
        ...complaints.map((one) => describeEdit(one, shared.library)),
        ...gone.map((name) => `The scenario ${quote(name)} is gone, and no longer plays.`),
      ]
    },
    fixtures: async () => {
      const { shared } = this.#worlds
      this.#worlds.use({ ...shared, seeded: await loadFixtures(shared.settings) })
      return []
    },
  }
}

/** The state file, its lock or its successor, or what is made of them in passing. */
function isStateFile(file: string, name: string): boolean {
  return file === name || file.startsWith(`${name}.lock`) || file.startsWith(`${name}.new`)
}

function describeEdit(complaint: FileComplaint, before: Library): string {
  const stays = before.find(nameOf(complaint.file)) !== undefined
  const result = stays ? 'Its last good version stays in use.' : 'It is not in use.'
  return `${describeComplaint(complaint)}\n${result}`
}

function fixturesFolder({ fixtures = defaultFixtures }: Settings): string {
  return statOf(fixtures)?.isDirectory() === true ? fixtures : dirname(fixtures)
}
