import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { asset } from '../../../package-root.js'
import type { Contract } from '../../contract/contract.js'
import { collectComplaints, type FileComplaint, InvalidFiles, unreadable } from '../../files/invalid-files.js'
import type { ScenarioFile } from '../../files/scenario.js'
import { dataFilesIn, isDataFile, readSource, type SourceFile } from '../../files/source-file.js'
import { type CompiledScenario, compileRule, compileScenario, withExtended } from './compile.js'
import { type FindUnlisted, Library } from './library.js'
import { forcingScenarios, noScenario, type ReadyRule, type Scenario, textOf } from './scenario.js'
import { notesOn } from './warnings.js'

export interface LoadedLibrary {
  readonly library: Library
  readonly complaints: readonly FileComplaint[]
  readonly notes: readonly FileComplaint[]
}

export interface LibrarySources {
  /** The user's scenario files, which come before shipped ones of the same name. */
  readonly folder: string | undefined
  readonly findUnlisted?: FindUnlisted
  /** The library before an edit: it has the last good version of files that cannot be used. */
  readonly before?: Library
}

interface ScenarioDraft extends CompiledScenario {
  readonly source: SourceFile
}

/** A folder that cannot be read leaves all as it was. */
export async function loadLibrary(
  contracts: readonly Contract[],
  { folder, findUnlisted, before }: LibrarySources,
): Promise<LoadedLibrary> {
  const complaints: FileComplaint[] = []
  const outcomes = forcingScenarios(contracts)
  const shipped = await shippedScenarios()
  const files = await collectComplaints(complaints, () => filesByName(folder, outcomes, complaints))
  if (files === undefined) {
    return { library: before ?? new Library(contracts, new Map([...shipped, ...outcomes])), complaints, notes: [] }
  }
  const drafts = new Map<string, ScenarioDraft>()
  for (const [name, file] of files) {
    const draft = await collectComplaints(complaints, () => readDraft(file, contracts))
    if (draft !== undefined) drafts.set(name, draft)
  }
  const own = new Map<string, Scenario>()
  const flat = new Map<string, readonly ReadyRule[]>()
  const notes = folder === undefined ? [] : await foldersIn(folder)
  for (const [name, draft] of drafts) {
    const rules = await collectComplaints(complaints, () => flatten([name], draft))
    if (rules === undefined) continue
    own.set(name, { name, source: 'file', description: draft.file.description ?? '', rules })
    notes.push(...(await notesOn(draft.source, rules, draft.rules, contracts)))
  }
  for (const name of files.keys()) {
    const lastGood = own.has(name) ? undefined : before?.find(name)
    if (lastGood !== undefined) own.set(name, lastGood)
  }
  const read = Array.from([...shipped, ...own], ([name, scenario]) => {
    const known = before?.find(name)
    // An unchanged scenario goes on from where its play is.
    return [name, known !== undefined && textOf(known) === textOf(scenario) ? known : scenario] as const
  })
  return { library: new Library(contracts, new Map([...read, ...outcomes]), findUnlisted), complaints, notes }

  function flatten(chain: readonly string[], draft: ScenarioDraft): Promise<readonly ReadyRule[]> {
    return withExtended(draft.source, draft, async (name) => {
      if (chain.includes(name)) return `'extends' forms a circle: ${[...chain, name].join(' → ')}.`
      const known = flat.get(name)
      if (known !== undefined) return known
      const other = drafts.get(name)
      if (other !== undefined) {
        const rules = await flatten([...chain, name], other)
        flat.set(name, rules)
        return rules
      }
      if (files?.has(name)) return `The scenario '${name}' cannot be used: fix its file first.`
      const others = outcomes.get(name) ?? shipped.get(name)
      const names = [...shipped.keys(), ...drafts.keys()]
      return others?.rules ?? noScenario(name, names)
    })
  }
}

/** The build has checked them and made JSON of them. */
async function shippedScenarios(): Promise<ReadonlyMap<string, Scenario>> {
  const files: Readonly<Record<string, Required<Pick<ScenarioFile, 'description' | 'rules'>>>> = JSON.parse(
    asset('scenarios.json'),
  )
  const scenarios = Object.entries(files).map(async ([name, { description, rules }]): Promise<[string, Scenario]> => {
    return [name, { name, source: 'shipped', description, rules: await Promise.all(rules.map(compileRule)) }]
  })
  return new Map(await Promise.all(scenarios))
}

async function filesByName(
  folder: string | undefined,
  outcomes: ReadonlyMap<string, Scenario>,
  complaints: FileComplaint[],
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const file of folder === undefined ? [] : await scenarioFiles(folder, complaints)) {
    const name = nameOf(file)
    if (files.has(name)) {
      const message = `There is another file for the scenario '${name}' in this folder: rename one of them.`
      complaints.push({ file, message })
    }
    if (outcomes.has(name)) {
      complaints.push({ file, message: `The name '${name}' is the name of an outcome: rename the file.` })
    }
    files.set(name, file)
  }
  return files
}

export function nameOf(file: string): string {
  return basename(file, extname(file))
}

async function readDraft(file: string, contracts: readonly Contract[]): Promise<ScenarioDraft> {
  const source = await readSource(file)
  if (source.data === undefined || source.data === null)
    throw new InvalidFiles([{ file, message: 'The file is empty: add rules, or delete it.' }])
  return { source, ...(await compileScenario(source, contracts)) }
}

/** A note on each folder within the scenarios, but for hidden ones. */
async function foldersIn(folder: string): Promise<FileComplaint[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((one) => one.isDirectory() && !one.name.startsWith('.') && !isDataFile(one.name))
    .map(({ name }) => ({ file: join(folder, name), message: 'Folders are not looked into: move its scenarios up.' }))
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
