import { createHash } from 'node:crypto'
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { quote } from '../../contract/wording.js'
import { fileErrorReason } from '../../files/invalid-files.js'
import { dataFilesIn, readText } from '../../files/source-file.js'
import { scenarioNameOf } from '../../sandbox/scenarios/load.js'
import type { EngineSettings } from '../../sandbox/settings.js'
import { Problem } from '../problems.js'

const MARK =
  '# Saved by countersign, which replaces this file when the scenario is saved again. Delete this line to keep it.'

/** Includes files that are not valid scenarios. @throws {InvalidFiles} if the file cannot be read as text */
export async function textOfScenario(name: string, settings: EngineSettings) {
  const all = await dataFilesIn(scenariosFolder(settings)).catch(() => [])
  const file = all.find((path) => scenarioNameOf(path) === name.normalize())
  if (file === undefined) return undefined
  const text = await readText(file)
  return { file, text, tag: createHash('sha256').update(text).digest('base64url') }
}

/** `needsMark`: save with the mark, which lets later saves omit `tag`. @throws {Problem} if the file has another tag, or no mark */
export async function fileForScenario(name: string, settings: EngineSettings, tag?: string) {
  const existing = await textOfScenario(name, settings)
  const needsMark = existing?.text.startsWith(MARK) === true
  if (tag !== undefined) {
    if (existing?.tag === tag) return { file: existing.file, needsMark }
    const url = `/__admin/scenarios/${encodeURIComponent(name)}?source=true`
    const message = `The file of ${quote(name)} was changed or deleted in the meantime. Read it again: GET ${url}.`
    throw new Problem('conflict', message)
  }
  const file = join(scenariosFolder(settings), `${name}.yaml`)
  if (existing === undefined) return { file, needsMark: true }
  if (needsMark && existing.file.normalize() === file.normalize()) return { file: existing.file, needsMark }
  const message = `${quote(existing.file)} has the scenario's name, and is not replaced. Choose another name, or edit the file.`
  throw new Problem('conflict', message)
}

export function scenariosFolder({ scenarios, defaultScenarios }: EngineSettings): string {
  return scenarios ?? defaultScenarios
}

/** @throws {Problem} if the file cannot be written */
export async function saveScenario(file: string, definition: string | object, needsMark: boolean): Promise<void> {
  const { parseDocument, stringify } = await import('../../files/yaml.js')
  const source = typeof definition === 'string' ? definition : stringify(definition, { lineWidth: 0 })
  const document = parseDocument(source)
  // Only definitions sent to the admin API have these keys. A text without them is saved unchanged.
  const removed = ['active', 'offWhenSpent'].filter((key) => document.delete(key))
  const text = removed.length === 0 ? source : String(document)
  // A symbolic link stays a link.
  const target = await realpath(file).catch(() => file)
  const draft = `${target}.${process.pid}.tmp`
  try {
    await mkdir(dirname(target), { recursive: true })
    await writeFile(draft, !needsMark || text.startsWith(MARK) ? text : `${MARK}\n${text}`)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    const message = `The scenario was defined, but ${quote(file)} cannot be written: ${fileErrorReason(error)}.`
    throw new Problem('storage-failed', message)
  }
}
