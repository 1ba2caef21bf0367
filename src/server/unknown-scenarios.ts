import { type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { didYouMean, quote } from '../text/wording.js'
import { asWritten } from '../text/written-paths.js'
import type { Library } from '../world/scenarios/library.js'
import { activeScenarios, type Settings } from '../world/settings.js'
import { InvalidOption } from './invalid-option.js'

/** Complaints about scenarios that are to be on and do not exist. */
export interface UnknownScenarios {
  /** Each where the config file lists it. */
  readonly listed: readonly FileComplaint[]
  /** Those that were asked for in another way. */
  readonly asked: readonly FileComplaint[]
}

/**
 * Looks for the scenarios that are to be on; the files are read only where the outcomes do not have a name. Those in
 * `broken` have files that cannot be used, which is another complaint.
 */
export async function unknownScenarios(
  library: Library,
  settings: Settings,
  broken: ReadonlySet<string> = new Set(),
): Promise<UnknownScenarios> {
  const isUnknown = (name: string) => library.find(name) === undefined && !broken.has(name)
  const unknown = activeScenarios(settings).filter(isUnknown)
  if (unknown.length === 0) return { listed: [], asked: [] }
  await library.load()
  const names = library.names()
  const message = (name: string) =>
    `There is no scenario ${quote(name)}.${didYouMean(name, names)} 'countersign list' shows all of them.`
  const listed = await inConfigFile(settings, isUnknown, message)
  const found = new Set(listed.map(({ name }) => name))
  const asked = unknown.filter((name) => isUnknown(name) && !found.has(name))
  return {
    listed: listed.map(({ complaint }) => complaint),
    asked: asked.map((name) => ({ file: settings.sources.scenario ?? '--scenario', message: message(name) })),
  }
}

/**
 * Makes sure that the scenarios exist that are to be on.
 * @throws {InvalidFiles} with every complaint, where the config file lists one that does not
 * @throws {InvalidOption} for others
 */
export async function requireScenarios(library: Library, settings: Settings): Promise<void> {
  const { listed, asked } = await unknownScenarios(library, settings)
  if (listed.length > 0) throw new InvalidFiles([...listed, ...asked])
  if (asked.length > 0) throw new InvalidOption(asked.map(({ message }) => message).join('\n'))
}

interface Listed {
  readonly name: string
  readonly complaint: FileComplaint
}

/** The keys of the config file that name scenarios. */
const KEYS = ['active', 'scenario'] as const

/** Every place in the config file that names a scenario that does not exist; the file is read once more for that. */
async function inConfigFile(
  { configFile, written }: Settings,
  isUnknown: (name: string) => boolean,
  message: (name: string) => string,
): Promise<Listed[]> {
  if (configFile === undefined) return []
  const source = await readSource(configFile)
  const data = (source.data ?? {}) as Readonly<Record<string, unknown>>
  const places = KEYS.flatMap((key) =>
    [data[key] ?? []]
      .flat()
      .map((name, at) => ({ name: String(name), path: Array.isArray(data[key]) ? [key, at] : [key] })),
  )
  const complain = async (path: (string | number)[], text: string) => {
    const complaint = await source.complain(path, text)
    return { ...complaint, file: asWritten(written, complaint.file) }
  }
  return Promise.all(
    places
      .filter(({ name }) => isUnknown(name))
      .map(async ({ name, path }) => ({ name, complaint: await complain(path, message(name)) })),
  )
}
