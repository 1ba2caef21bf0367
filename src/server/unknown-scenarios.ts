import { type Complaint, UnusableFiles } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { didYouMean, quote } from '../text/wording.js'
import type { Library } from '../world/scenarios/library.js'
import { activeScenarios, type Settings } from '../world/settings.js'
import { InvalidOption } from './invalid-option.js'

/**
 * Complaints about scenarios that are to be on and do not exist: each where the config file lists it, or else about the
 * option that asks for it. The scenario files are read only where the outcomes do not have a name. Those in `broken` have
 * files that cannot be used, which is another complaint.
 */
export async function unknownScenarios(
  library: Library,
  settings: Settings,
  broken: ReadonlySet<string> = new Set(),
): Promise<readonly Complaint[]> {
  const isUnknown = (name: string) => library.find(name) === undefined && !broken.has(name)
  if (!activeScenarios(settings).some(isUnknown)) return []
  await library.load()
  const names = library.names()
  const message = (name: string) =>
    `There is no scenario ${quote(name)}.${didYouMean(name, names)} 'countersign list' shows them all.`
  const source = settings.configFile === undefined ? undefined : await readSource(settings.configFile)
  const listed = listedIn(source?.data).filter(({ name }) => isUnknown(name))
  const found = new Set(listed.map(({ name }) => name))
  const asked = activeScenarios(settings).filter((name) => isUnknown(name) && !found.has(name))
  const file = settings.sources.scenario ?? '--scenario'
  return [
    ...(await Promise.all(listed.map(({ name, path }) => source!.complain(CODE, path, message(name))))),
    ...asked.map((name): Complaint => ({ code: CODE, file, message: message(name) })),
  ]
}

/**
 * Makes sure that the scenarios exist that are to be on.
 * @throws {InvalidFiles} with every complaint, where the config file lists one that does not
 * @throws {InvalidOption} for others
 */
export async function requireScenarios(library: Library, settings: Settings): Promise<void> {
  const complaints = await unknownScenarios(library, settings)
  if (complaints.some(({ file }) => file === settings.configFile)) throw new UnusableFiles(complaints)
  if (complaints.length > 0) throw new InvalidOption(complaints.map(({ message }) => message).join('\n'))
}

const CODE = 'unknown-scenario'

/** The keys of the config file that name scenarios. */
const KEYS = ['active', 'scenario'] as const

interface Listed {
  readonly name: string
  readonly path: readonly (string | number)[]
}

/** Every place in a config file's data that names a scenario. */
function listedIn(data: unknown): Listed[] {
  const values = (data ?? {}) as Readonly<Record<string, unknown>>
  return KEYS.flatMap((key) =>
    [values[key] ?? []]
      .flat()
      .map((name, at) => ({ name: String(name), path: Array.isArray(values[key]) ? [key, at] : [key] })),
  )
}
