import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { quote } from '../../contract/wording.js'
import { fileErrorReason } from '../../files/invalid-files.js'
import { dataFilesIn, readText } from '../../files/source-file.js'
import { nameOf } from '../../sandbox/scenarios/load.js'
import type { EngineSettings } from '../../sandbox/settings.js'
import { Problem } from '../problems.js'

/** The first line of a file that may be replaced. */
const MARK =
  '# Saved by countersign, which replaces this file when the scenario is saved again. Delete this line to keep it.'

/**
 * The file for a scenario in the scenarios folder.
 * @throws {Problem} if the folder has a file for that scenario which was not saved here
 */
export async function fileForScenario(name: string, { scenarios, defaultScenarios }: EngineSettings): Promise<string> {
  const place = scenarios ?? defaultScenarios
  const file = join(place, `${name}.yaml`)
  const known = (await dataFilesIn(place).catch(() => [])).filter((one) => nameOf(one) === name)
  for (const one of known) {
    if (one === file && (await readText(one).catch(() => '')).startsWith(MARK)) continue
    throw new Problem(
      'conflict',
      `${quote(one)} was not saved from here and stays. Choose another name, or edit the file.`,
    )
  }
  return file
}

/**
 * Writes a scenario, from YAML or as data.
 * @throws {Problem} if the file cannot be written
 */
export async function saveScenario(file: string, definition: string | object): Promise<void> {
  const { parseDocument, stringify } = await import('../../files/yaml.js')
  const written = typeof definition === 'string' ? definition : stringify(definition, { lineWidth: 0 })
  const document = parseDocument(written)
  const switches = ['active', 'offWhenSpent'].filter((key) => document.has(key))
  // A file says what a scenario is, not whether it is on. A text without these keys stays as it was written.
  for (const key of switches) document.delete(key)
  const text = switches.length === 0 ? written : String(document)
  const draft = `${file}.${process.pid}.tmp`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(draft, text.startsWith(MARK) ? text : `${MARK}\n${text}`)
    await rename(draft, file)
  } catch (error) {
    throw new Problem(
      'storage-failed',
      `The scenario was defined, but ${quote(file)} cannot be written: ${fileErrorReason(error)}.`,
    )
  }
}
