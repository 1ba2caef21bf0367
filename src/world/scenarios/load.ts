import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { Contract } from '../../../schemas/contract.js'
import { shippedScenarios } from '../../package-root.js'
import { type Complaint, collectComplaints, UnusableFiles, unreadable } from '../../text/invalid-files.js'
import { readSource, type SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { type CompiledScenario, compileScenario } from './compile.js'
import { extendedRules } from './extended-rules.js'
import { notesOn } from './notes.js'
import type { ReadyRule, Scenario } from './scenario.js'

/** What scenario files are checked against. */
export interface LoadContext {
  readonly contracts: readonly Contract[]
  /** The scenarios that are no files, which may be extended too. */
  readonly outcome: (name: string) => Scenario | undefined
}

/** The scenarios of some folders, and every complaint about their files. */
export interface LoadedScenarios {
  readonly scenarios: ReadonlyMap<string, Scenario>
  readonly complaints: readonly Complaint[]
  /** What is odd about files that can be used. */
  readonly notes: readonly Complaint[]
  /** Names whose file cannot be used. */
  readonly broken: ReadonlySet<string>
  /** Finds scenarios that are in no list. */
  readonly unlisted?: (name: string) => Scenario | undefined
}

const ENDINGS = new Set(['.yaml', '.yml', '.json'])

/** A file that was read, and in which nothing is wrong as long as no other file is looked at. */
interface Draft extends CompiledScenario {
  readonly name: string
  readonly source: SourceFile
}

/** Loads every scenario file of the folders; a later folder's file replaces an earlier one of the same name. */
export async function loadScenarios(folders: readonly string[], context: LoadContext): Promise<LoadedScenarios> {
  const files = new Map<string, string>()
  const complaints: Complaint[] = []
  for (const folder of folders) {
    const here = new Set<string>()
    for (const file of await scenarioFiles(folder, complaints)) {
      const name = nameOf(file)
      if (here.has(name)) {
        const message = `There is another file for the scenario '${name}' in this folder: rename one of them.`
        complaints.push({ code: 'duplicate', file, message })
      }
      if (context.outcome(name) !== undefined)
        complaints.push({
          code: 'name',
          file,
          message: `The name '${name}' is the name of an outcome: rename the file.`,
        })
      here.add(name)
      files.set(name, file)
    }
  }
  const drafts = new Map<string, Draft>()
  const broken = new Set<string>()
  for (const [name, file] of files) {
    const draft = await collectComplaints(complaints, () => readDraft(name, file, context))
    if (draft === undefined) broken.add(name)
    else drafts.set(name, draft)
  }
  const scenarios = new Map<string, Scenario>()
  const notes: Complaint[] = []
  for (const draft of drafts.values()) {
    const { name, file } = draft
    const rules = await collectComplaints(complaints, () => flatten(draft, drafts, broken, context, []))
    const source = dirname(draft.source.file) === shippedScenarios ? 'shipped' : 'file'
    if (rules === undefined) broken.add(name)
    else {
      scenarios.set(name, { name, source, description: file.description ?? '', rules })
      notes.push(...(await notesOn(draft.source, rules, draft.rules, context.contracts)))
    }
  }
  return { scenarios, complaints, notes, broken }
}

export function nameOf(file: string): string {
  return basename(file, extname(file))
}

async function readDraft(name: string, file: string, { contracts }: LoadContext): Promise<Draft> {
  const source = await readSource(file)
  if (source.data === undefined || source.data === null)
    throw new UnusableFiles([{ code: 'schema', file, message: 'The file is empty: add rules, or delete it.' }])
  return { name, source, ...(await compileScenario(source, contracts)) }
}

/** A folder that does not exist takes its scenarios with it; one that cannot be read leaves all as it was. */
async function scenarioFiles(folder: string, complaints: Complaint[]): Promise<string[]> {
  try {
    return (await readdir(folder))
      .filter((name) => ENDINGS.has(extname(name)) && !name.startsWith('.'))
      .map((name) => join(folder, name))
      .sort()
  } catch (error) {
    const failure = unreadable(folder, error, 'scenarios')
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw failure
    complaints.push(...failure.complaints)
    return []
  }
}

/** The rules of the scenarios it extends, then its own. */
function flatten(
  draft: Draft,
  drafts: ReadonlyMap<string, Draft>,
  broken: ReadonlySet<string>,
  context: LoadContext,
  above: readonly string[],
): Promise<readonly ReadyRule[]> {
  const chain = [...above, draft.name]
  return extendedRules(draft.source, draft, async (name, at) => {
    const refuse = async (message: string) =>
      new UnusableFiles([await draft.source.complain('reference', ['extends', at], message)])
    if (chain.includes(name)) throw await refuse(`'extends' forms a circle: ${[...chain, name].join(' → ')}.`)
    const outcome = context.outcome(name)
    if (outcome !== undefined) return outcome.rules
    const other = drafts.get(name)
    if (other === undefined) {
      throw await refuse(
        broken.has(name)
          ? `The scenario '${name}' cannot be used: fix its file first.`
          : `There is no scenario ${quote(name)}.${didYouMean(name, drafts.keys())}`,
      )
    }
    return flatten(other, drafts, broken, context, chain)
  })
}
