import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { defaultFixtures, shippedScenarios } from '../package-root.js'
import { describeComplaint, InvalidFiles } from '../text/source-file.js'
import { didYouMean, quote } from '../text/wording.js'
import type { Library } from '../world/scenarios/library.js'
import { readFixtures } from '../world/state/fixtures.js'
import { SeededCollections } from '../world/state/seeded-collections.js'
import type { Worlds } from '../world/worlds.js'
import { InvalidOption, type Settings } from './options.js'
import { watchFolder } from './watch.js'

/** The scenarios that are on at the start: the config file's, and the ones that options name. */
export function activeIn({ active, scenario }: Settings): string[] {
  return [...new Set([...active, ...scenario])]
}

/** The shipped scenarios, then the user's, which win. */
export function scenarioFolders({ scenarios }: Settings): string[] {
  if (scenarios !== undefined) return [shippedScenarios, scenarios]
  return existsSync('scenarios') ? [shippedScenarios, 'scenarios'] : [shippedScenarios]
}

/**
 * Makes sure that scenarios exist, reading the files only where an outcome id does not settle it.
 * @throws {InvalidOption} naming the one that does not, and what may be wrong with its file
 */
export async function requireScenarios(library: Library, names: readonly string[]): Promise<void> {
  if (names.every((name) => library.find(name) !== undefined)) return
  const complaints = await library.load()
  const unknown = names.find((name) => library.find(name) === undefined)
  if (unknown === undefined) return
  const broken = complaints.map((one) => `\n${describeComplaint(one)}`).join('')
  const hint = `${didYouMean(unknown, library.names())} 'countersign list' shows what there is.`
  throw new InvalidOption(`There is no scenario ${quote(unknown)}.${hint}${broken}`)
}

/** What edits are taken into. */
export interface Editable {
  readonly worlds: Worlds
  readonly library: Library
  readonly notify: (text: string) => void
  /** The settings in use. */
  readonly settings: () => Settings
  /** Reads the settings again; undefined where no config file is read. */
  readonly reread: (() => Promise<Settings>) | undefined
  /** Whether the fixtures come from files. */
  readonly fixtures: boolean
  /** Reads files by these settings from now on. */
  readonly take: (settings: Settings) => void
  /** Answers by these settings from now on. */
  readonly apply: (settings: Settings) => void
}

/** Takes edits of config, scenarios and fixtures while the server listens; what cannot be used leaves all as it was. */
export function watchEdits(app: FastifyInstance, editable: Editable): void {
  let stop = () => {}
  let watched = ''
  let closed = false
  let last = Promise.resolve()
  const told: Told = new Map()
  const taking = (take: Take) => () => {
    last = last.then(() => guarded(take, editable, told)).then(watch)
  }
  /** Anew where folders have come, gone or been replaced. */
  const watch = () => {
    const places = watchedFolders(editable)
    const now = places.map(({ folder }) => `${folder} ${inodeOf(folder)}`).join()
    if (closed || now === watched) return
    const again = watched !== ''
    watched = now
    stop()
    const stops = places.map(({ folder, take }) => watchFolder(folder, taking(take)))
    stop = () => {
      for (const one of stops) one()
    }
    // What changed between the old watchers and the new ones was seen by neither.
    if (again) for (const take of new Set(places.map((place) => place.take))) taking(take)()
  }
  app.addHook('onListen', (done) => {
    watch()
    taking(loadScenariosOnce)()
    done()
  })
  app.addHook('onClose', (_, done) => {
    closed = true
    stop()
    done()
  })
}

type Take = (editable: Editable) => Promise<void>

function watchedFolders({ settings, reread, fixtures }: Editable): { folder: string; take: Take }[] {
  const current = settings()
  return [
    ...scenarioFolders(current).map((folder) => ({ folder, take: takeScenarios })),
    ...(reread === undefined ? [] : [{ folder: configFolder(current), take: takeConfig }]),
    ...(fixtures ? [{ folder: folderOf(current.fixtures ?? defaultFixtures), take: takeFixtures }] : []),
  ]
}

function inodeOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.ino ?? 0
}

/** What each taking last complained about. */
type Told = Map<Take, string>

/** Complaints are told once: where they go to a log in a watched folder, each would call for the next. */
async function guarded(take: Take, editable: Editable, told: Told): Promise<void> {
  const texts: string[] = []
  const notify = (text: string) => void texts.push(text)
  try {
    await take({ ...editable, notify })
  } catch (error) {
    if (!(error instanceof InvalidFiles || error instanceof InvalidOption)) throw error
    notify(`${error.message}\nThe last good version stays in use.`)
  }
  if (![...told.values()].includes(texts.join())) for (const text of texts) editable.notify(text)
  told.set(take, texts.join())
}

/** Right after the start, so that a file that cannot be used is told of before it is needed. */
async function loadScenariosOnce({ library, notify }: Editable): Promise<void> {
  for (const complaint of await library.load()) notify(describeComplaint(complaint))
}

async function takeScenarios({ library, notify }: Editable): Promise<void> {
  const complaints = await library.reload()
  for (const complaint of complaints)
    notify(`${describeComplaint(complaint)}\nA version that was good before stays in use.`)
}

async function takeConfig(editable: Editable): Promise<void> {
  const { library, settings, reread } = editable
  const before = settings()
  const changed = await (reread as () => Promise<Settings>)()
  editable.take(changed)
  try {
    // By what the config says now; and a folder of scenarios may have come into the config file's folder.
    await takeScenarios(editable)
    await requireScenarios(library, activeIn(changed))
    if (editable.fixtures && changed.fixtures !== before.fixtures) await takeFixtures(editable)
  } catch (error) {
    editable.take(before)
    throw error
  }
  editable.apply(changed)
}

async function takeFixtures({ worlds, settings }: Editable): Promise<void> {
  worlds.configure({ seeded: new SeededCollections(await readFixtures(settings().fixtures ?? defaultFixtures)) })
}

function configFolder({ configFile }: Settings): string {
  return configFile === undefined ? resolve('.') : dirname(resolve(configFile))
}

function folderOf(path: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? path : dirname(path)
}
