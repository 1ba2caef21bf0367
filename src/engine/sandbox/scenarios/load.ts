import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { collectComplaints, type FileComplaint, InvalidFiles, unreadable } from '../../files/invalid-files.js'
import type { ScenarioFile, ScenarioFormat } from '../../files/scenario.js'
import { dataFilesIn, isDataFile, readSource, type SourceFile } from '../../files/source-file.js'
import { addInheritedRules, type CompiledScenario, compileRule, compileScenario } from './compile.js'
import { type FindUnlisted, ScenarioLibrary } from './library.js'
import {
  type CompiledRule,
  createOutcomeScenarios,
  describeUnknownScenario,
  isSameDefinition,
  type Scenario,
} from './scenario.js'
import { warningsFor } from './warnings.js'

export interface LibrarySources {
  /** The user's files, which take precedence over shipped scenarios. */
  readonly folder: string | undefined
  readonly findUnlisted?: FindUnlisted
  readonly shipped: ShippedScenarios
  /** Has the last good version of broken files. */
  readonly before?: ScenarioLibrary | undefined
}

type ScenarioDraft = CompiledScenario & { readonly source: SourceFile }

/** Keeps the library `before` if the folder cannot be read. */
export async function loadLibrary(format: ScenarioFormat, sources: LibrarySources) {
  const { folder, findUnlisted, before } = sources
  const complaints: FileComplaint[] = []
  const outcomes = createOutcomeScenarios(format.contracts)
  const shipped = await compileShipped(sources.shipped)
  const files = await collectComplaints(complaints, () => filesByName(folder, outcomes, complaints))
  if (files === undefined) {
    const library = before ?? new ScenarioLibrary(format, new Map([...shipped, ...outcomes]))
    return { library, complaints, warnings: [] }
  }
  const drafts = new Map<string, ScenarioDraft>()
  for (const [name, file] of files) {
    const draft = file && (await collectComplaints(complaints, () => readDraft(file, format)))
    if (draft) drafts.set(name, draft)
  }
  const userScenarios = new Map<string, Scenario>()
  const rulesByName = new Map<string, Promise<readonly CompiledRule[]>>()
  const warnings = folder === undefined ? [] : await warnAboutSubfolders(folder)
  for (const [name, draft] of drafts) {
    const rules = await collectComplaints(complaints, () => rulesOf([name], draft))
    if (rules === undefined) continue
    const description = draft.file.description ?? ''
    userScenarios.set(name, { name, source: 'file', description, rules })
    warnings.push(...(await warningsFor(draft.source, rules, draft.rules, format.contracts)))
  }
  for (const name of files.keys()) {
    const lastGood = userScenarios.has(name) ? undefined : before?.find(name)
    if (lastGood !== undefined) userScenarios.set(name, lastGood)
  }
  const scenarios = Array.from([...shipped, ...userScenarios], ([name, scenario]) => {
    const previous = before?.find(name)
    const isUnchanged = previous?.source === scenario.source && isSameDefinition(previous, scenario)
    // The object of an unchanged scenario keeps its progress.
    return [name, isUnchanged ? previous : scenario] as const
  })
  const library = new ScenarioLibrary(format, new Map([...scenarios, ...outcomes]), findUnlisted)
  // Scenarios that extend the same broken one have the same complaint.
  return { library, complaints: [...new Set(complaints)], warnings }

  function rulesOf(chain: readonly string[], draft: ScenarioDraft): Promise<readonly CompiledRule[]> {
    const last = chain.at(-1) as string
    const rules =
      rulesByName.get(last) ??
      addInheritedRules(draft.source, draft, async (name) => {
        if (chain.includes(name)) return `'extends' forms a circle: ${[...chain, name].join(' → ')}.`
        const other = drafts.get(name)
        if (other !== undefined) return rulesOf([...chain, name], other)
        if (files?.has(name)) return `The scenario '${name}' cannot be used: fix its file first.`
        const builtIn = outcomes.get(name) ?? shipped.get(name)
        const names = [...shipped.keys(), ...drafts.keys()]
        return builtIn?.rules ?? describeUnknownScenario(name, names)
      })
    rulesByName.set(last, rules)
    return rules
  }
}

export type ShippedScenarios = Readonly<Record<string, Required<Pick<ScenarioFile, 'description' | 'rules'>>>>

async function compileShipped(sources: ShippedScenarios): Promise<ReadonlyMap<string, Scenario>> {
  const scenarios = Object.entries(sources).map(async ([name, { description, rules }]): Promise<[string, Scenario]> => {
    return [name, { name, source: 'shipped', description, rules: await Promise.all(rules.map(compileRule)) }]
  })
  return new Map(await Promise.all(scenarios))
}

async function filesByName(
  folder: string | undefined,
  outcomes: ReadonlyMap<string, Scenario>,
  complaints: FileComplaint[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const files = new Map<string, string | undefined>()
  for (const file of folder === undefined ? [] : await scenarioFiles(folder, complaints)) {
    const name = scenarioNameOf(file)
    if (files.has(name)) {
      const message = `There is another file for the scenario '${name}' in this folder: rename one of them.`
      complaints.push({ file, message })
    }
    if (outcomes.has(name))
      complaints.push({ file, message: `The name '${name}' is reserved for an outcome: rename the file.` })
    files.set(name, files.has(name) ? undefined : file)
  }
  return files
}

/** In NFC: some file systems decompose `é` into two characters. */
export function scenarioNameOf(file: string): string {
  return basename(file, extname(file)).normalize()
}

async function readDraft(file: string, format: ScenarioFormat): Promise<ScenarioDraft> {
  const source = await readSource(file)
  if (source.data === undefined || source.data === null)
    throw new InvalidFiles([{ file, message: 'The file is empty: add rules, or delete it.' }])
  return { source, ...(await compileScenario(source, format)) }
}

async function warnAboutSubfolders(folder: string): Promise<FileComplaint[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !isDataFile(entry.name))
    .map(({ name }) => ({ file: join(folder, name), message: 'Subfolders are ignored; move these files up.' }))
}

/** Complains about a missing folder; any other failure is thrown. */
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
