import { createHash } from 'node:crypto'
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { quote } from '../../contract/wording.js'
import { fileErrorReason } from '../../files/invalid-files.js'
import { dataFilesIn, readText } from '../../files/source-file.js'
import { nameOf } from '../../sandbox/scenarios/load.js'
import type { EngineSettings } from '../../sandbox/settings.js'
import { Problem } from '../problems.js'

const MARK =
  '# Saved by countersign, which replaces this file when the scenario is saved again. Delete this line to keep it.'

/** Also of a broken file. @throws {InvalidFiles} if the file cannot be read as text */
export async function textOfScenario(name: string, settings: EngineSettings) {
  const all = await dataFilesIn(scenariosFolder(settings)).catch(() => [])
  const file = all.find((one) => nameOf(one) === name.normalize())
  if (file === undefined) return undefined
  const text = await readText(file)
  return { file, text, tag: createHash('sha256').update(text).digest('base64url') }
}

/** `isOwn` if it was saved here. @throws {Problem} for another text in the folder */
export async function fileForScenario(name: string, settings: EngineSettings, tag?: string) {
  const known = await textOfScenario(name, settings)
  const isOwn = known?.text.startsWith(MARK) === true
  if (tag !== undefined) {
    if (known?.tag === tag) return { file: known.file, isOwn }
    const look = `GET /__admin/scenarios/${encodeURIComponent(name)}?source=true`
    throw new Problem(
      'conflict',
      `The file of ${quote(name)} was changed or deleted in the meantime: see it with ${look}.`,
    )
  }
  const file = join(scenariosFolder(settings), `${name}.yaml`)
  if (known === undefined) return { file, isOwn: true }
  if (isOwn && known.file.normalize() === file.normalize()) return { file: known.file, isOwn }
  throw new Problem(
    'conflict',
    `${quote(known.file)} was not saved from here and stays. Choose another name, or edit the file.`,
  )
}

export function scenariosFolder({ scenarios, defaultScenarios }: EngineSettings): string {
  return scenarios ?? defaultScenarios
}

/** An own file (`isOwn`) gets the mark. @throws {Problem} if the file cannot be written */
export async function saveScenario(file: string, definition: string | object, isOwn: boolean): Promise<void> {
  const { parseDocument, stringify } = await import('../../files/yaml.js')
  const written = typeof definition === 'string' ? definition : stringify(definition, { lineWidth: 0 })
  const document = parseDocument(written)
  const switches = ['active', 'offWhenSpent'].filter((key) => document.has(key))
  // Files have no such keys; a text without them stays unchanged.
  for (const key of switches) document.delete(key)
  const text = switches.length === 0 ? written : String(document)
  // Keeps a link.
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
