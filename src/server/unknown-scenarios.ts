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
  const unknown = () => activeScenarios(settings).filter((name) => !library.find(name) && !broken.has(name))
  if (unknown().length === 0) return []
  await library.load()
  const names = new Set(unknown())
  const message = (name: string) =>
    `There is no scenario ${quote(name)}.${didYouMean(name, library.names())} 'countersign list' shows them all.`
  const complaints: Complaint[] = []
  const source = settings.configFile === undefined ? undefined : await readSource(settings.configFile)
  for (const key of ['active', 'scenario']) {
    const value = (source?.data as Readonly<Record<string, unknown>> | null | undefined)?.[key]
    for (const [at, one] of [value ?? []].flat().entries()) {
      const name = String(one)
      if (!unknown().includes(name)) continue
      names.delete(name)
      complaints.push(await source!.complain(CODE, Array.isArray(value) ? [key, at] : [key], message(name)))
    }
  }
  const file = settings.sources.scenario ?? '--scenario'
  return [...complaints, ...Array.from(names, (name) => ({ code: CODE, file, message: message(name) }) as const)]
}

const CODE = 'unknown-scenario'

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
