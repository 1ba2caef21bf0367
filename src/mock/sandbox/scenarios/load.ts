import { basename, dirname, extname } from 'node:path'
import type { Contract } from '../../../../schemas/contract.js'
import { shippedScenarios } from '../../../package-root.js'
import { collectComplaints, type FileComplaint, InvalidFiles, unreadable } from '../../text/invalid-files.js'
import { dataFilesIn, readSource, type SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { type CompiledScenario, compileScenario, withExtended } from './compile.js'
import { notesOn } from './notes.js'
import type { ReadyRule, Scenario } from './scenario.js'

/** `broken` are the names of files that cannot be used, `unlisted` finds scenarios that no list shows. */
export interface LoadedScenarios {
  readonly scenarios: ReadonlyMap<string, Scenario>
  readonly complaints: readonly FileComplaint[]
  readonly notes: readonly FileComplaint[]
  readonly broken: ReadonlySet<string>
  readonly unlisted?: (name: string) => Scenario | undefined
}

interface Draft extends CompiledScenario {
  readonly source: SourceFile
}

/** Loads the scenario files of the folders, of which later ones come first; `outcome` finds scenarios without files. */
export async function loadScenarios(
  folders: readonly string[],
  contracts: readonly Contract[],
  outcome: (name: string) => Scenario | undefined,
): Promise<LoadedScenarios> {
  const complaints: FileComplaint[] = []
  const files = new Map<string, string>()
  for (const folder of folders)
    for (const file of await scenarioFiles(folder, complaints)) {
      const name = nameOf(file)
      if (dirname(files.get(name) ?? '') === folder) {
        const message = `There is another file for the scenario '${name}' in this folder: rename one of them.`
        complaints.push({ file, message })
      }
      if (outcome(name) !== undefined) {
        const message = `The name '${name}' is the name of an outcome: rename the file.`
        complaints.push({ file, message })
      }
      files.set(name, file)
    }
  const drafts = new Map<string, Draft>()
  for (const [name, file] of files) {
    const draft = await collectComplaints(complaints, () => readDraft(file, contracts))
    if (draft !== undefined) drafts.set(name, draft)
  }
  const scenarios = new Map<string, Scenario>()
  const notes: FileComplaint[] = []
  for (const [name, draft] of drafts) {
    const rules = await collectComplaints(complaints, () => flatten([name], draft))
    if (rules === undefined) continue
    const source = dirname(draft.source.file) === shippedScenarios ? 'shipped' : 'file'
    scenarios.set(name, { name, source, description: draft.file.description ?? '', rules })
    notes.push(...(await notesOn(draft.source, rules, draft.rules, contracts)))
  }
  const broken = new Set([...files.keys()].filter((name) => !scenarios.has(name)))
  return { scenarios, complaints, notes, broken }

  function flatten(chain: readonly string[], draft: Draft): Promise<readonly ReadyRule[]> {
    return withExtended(draft.source, draft, async (name) => {
      if (chain.includes(name)) return `'extends' forms a circle: ${[...chain, name].join(' → ')}.`
      const other = drafts.get(name)
      if (other !== undefined) return flatten([...chain, name], other)
      if (files.has(name)) return `The scenario '${name}' cannot be used: fix its file first.`
      return outcome(name)?.rules ?? `There is no scenario ${quote(name)}.${didYouMean(name, drafts.keys())}`
    })
  }
}

export function nameOf(file: string): string {
  return basename(file, extname(file))
}

async function readDraft(file: string, contracts: readonly Contract[]): Promise<Draft> {
  const source = await readSource(file)
  if (source.data === undefined || source.data === null)
    throw new InvalidFiles([{ file, message: 'The file is empty: add rules, or delete it.' }])
  return { source, ...(await compileScenario(source, contracts)) }
}

/** A folder that does not exist has no scenarios, which is a complaint. */
async function scenarioFiles(folder: string, complaints: FileComplaint[]): Promise<string[]> {
  try {
    return await dataFilesIn(folder)
  } catch (error) {
    const failure = unreadable(folder, error, 'scenarios')
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw failure
    complaints.push(...failure.complaints)
    return []
  }
}
