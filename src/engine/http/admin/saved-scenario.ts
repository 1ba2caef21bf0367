import { createHash } from 'node:crypto'
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises'
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

/** A scenario file as it is, whether it can be used or not. */
export interface ScenarioText {
  readonly file: string
  readonly text: string
  /** Another one for another text. */
  readonly tag: string
}

/** @throws {InvalidFiles} if the file cannot be read as text */
export async function textOfScenario(name: string, settings: EngineSettings): Promise<ScenarioText | undefined> {
  const all = await dataFilesIn(scenariosFolder(settings)).catch(() => [])
  const file = all.find((one) => nameOf(one) === name.normalize())
  if (file === undefined) return undefined
  const text = await readText(file)
  return { file, text, tag: createHash('sha256').update(text).digest('base64url') }
}

/**
 * The file for a scenario in the scenarios folder, or the one with a tag; `isOwn` if it was saved here.
 * @throws {Problem} if the folder has another text for that scenario, which was not saved here
 */
export async function fileForScenario(name: string, settings: EngineSettings, tag?: string) {
  const known = await textOfScenario(name, settings)
  const isOwn = known?.text.startsWith(MARK) === true
  if (tag !== undefined) {
    if (known?.tag === tag) return { file: known.file, isOwn }
    const look = `GET /__admin/scenarios/${encodeURIComponent(name)}?source=true`
    throw new Problem(
      'conflict',
      `The file of ${quote(name)} was changed or deleted meanwhile: look at it with ${look}.`,
    )
  }
  const file = join(scenariosFolder(settings), `${name}.yaml`)
  if (known === undefined || (known.file === file && isOwn)) return { file, isOwn: true }
  throw new Problem(
    'conflict',
    `${quote(known.file)} was not saved from here and stays. Choose another name, or edit the file.`,
  )
}

export function scenariosFolder({ scenarios, defaultScenarios }: EngineSettings): string {
  return scenarios ?? defaultScenarios
}

/**
 * Writes a scenario, from YAML or as data; one of our own (`isOwn`) has the mark, and a later save may replace it.
 * @throws {Problem} if the file cannot be written
 */
export async function saveScenario(file: string, definition: string | object, isOwn: boolean): Promise<void> {
  const { parseDocument, stringify } = await import('../../files/yaml.js')
  const written = typeof definition === 'string' ? definition : stringify(definition, { lineWidth: 0 })
  const document = parseDocument(written)
  const switches = ['active', 'offWhenSpent'].filter((key) => document.has(key))
  // A file says what a scenario is, not whether it is on. A text without these keys stays as it was written.
  for (const key of switches) document.delete(key)
  const text = switches.length === 0 ? written : String(document)
  // A link stays one.
  const target = await realpath(file).catch(() => file)
  const draft = `${target}.${process.pid}.tmp`
  try {
    await mkdir(dirname(target), { recursive: true })
    await writeFile(draft, !isOwn || text.startsWith(MARK) ? text : `${MARK}\n${text}`)
    await rename(draft, target)
  } catch (error) {
    throw new Problem(
      'storage-failed',
      `The scenario was defined, but ${quote(file)} cannot be written: ${fileErrorReason(error)}.`,
    )
  }
}
